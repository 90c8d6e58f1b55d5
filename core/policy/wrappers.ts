/** Programs that run other programs, and how their own options are told from the command inside. docs/policy.md lists them. */

export interface Options {
  /** Flags that take a value, joined by `=` or as the next word. */
  readonly valued: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  /** `NAME=value` may stand before the program. */
  readonly assignments?: boolean;
  /** `-5` is a flag. */
  readonly numeric?: boolean;
  /** Words between the options and the program: `timeout 5 git`. */
  readonly positionals?: number;
  /** Flags whose value is shell text. */
  readonly shell?: readonly string[];
  /** Only after one of these words comes a program. */
  readonly subcommands?: ReadonlySet<string> | undefined;
  /** The program may carry a version: `vitest@3`. */
  readonly packages?: boolean;
  /** Arguments from elsewhere are added at the end. */
  readonly appends?: boolean;
}

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

const options = (valued: string, flags: string, more: Omit<Options, "valued" | "flags"> = {}): Options => ({
  valued: set(valued),
  flags: set(flags),
  ...more,
});

export const SHELLS: ReadonlySet<string> = set("sh bash dash zsh ksh ash mksh fish rbash csh tcsh cmd powershell pwsh");

export const WRAPPERS: ReadonlyMap<string, Options> = new Map([
  [
    "env",
    options("-u --unset -C --chdir -S --split-string --argv0 -a", "-i --ignore-environment -0 --null -v --debug -", {
      assignments: true,
      shell: ["-S", "--split-string"],
    }),
  ],
  ["nice", options("-n --adjustment", "", { numeric: true })],
  ["nohup", options("", "")],
  ["setsid", options("", "-c --ctty -f --fork -w --wait")],
  ["stdbuf", options("-i --input -o --output -e --error", "")],
  ["time", options("-f --format -o --output", "-p --portability -a --append -v --verbose")],
  [
    "timeout",
    options("-s --signal -k --kill-after", "-v --verbose -f --foreground --preserve-status -p", { positionals: 1 }),
  ],
  ["ionice", options("-c --class -n --classdata", "-t --ignore")],
  ["taskset", options("", "-a --all-tasks -c --cpu-list", { positionals: 1 })],
  [
    "chrt",
    options(
      "-T --sched-runtime -P --sched-period -D --sched-deadline",
      "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -R",
      { positionals: 1 },
    ),
  ],
  ["command", options("", "-p -v -V")],
  ["exec", options("-a", "-c -l")],
  ["builtin", options("", "")],
  ["busybox", options("", "")],
  ["toybox", options("", "")],
  ["caffeinate", options("-t -w", "-d -i -m -s -u")],
  ["corepack", options("", "", { packages: true })],
  [
    "sudo",
    options(
      "-u --user -g --group -h --host -p --prompt -C --close-from -T --command-timeout -D --chdir -R --chroot -r --role -t --type -U --other-user",
      "-A --askpass -b --background -B --bell -E --preserve-env -e --edit -H --set-home -i --login -k --reset-timestamp -K -l -n --non-interactive -N -P --preserve-groups -S --stdin -s --shell -V -v",
      { assignments: true },
    ),
  ],
  ["doas", options("-u -C -a", "-L -n -s")],
  [
    "xargs",
    options(
      "-a --arg-file -d --delimiter -E -I --replace -L --max-lines -n --max-args -P --max-procs -s --max-chars",
      "-0 --null -o --open-tty -p --interactive -r --no-run-if-empty -t --verbose -x --exit",
      { appends: true },
    ),
  ],
  [
    "npx",
    options(
      "-p --package -c --call --cache --userconfig --globalconfig --prefix --registry -w --workspace --node-options --script-shell --shell",
      "-y --yes -n --no --no-install -q --quiet --prefer-offline --offline --prefer-online --ignore-existing --silent -s --workspaces",
      { packages: true, shell: ["-c", "--call"] },
    ),
  ],
  ["bunx", options("-p --package", "--bun --verbose --silent --no-install", { packages: true })],
  ["pnpx", options("--package", "--silent -s", { packages: true })],
  [
    "pnpm",
    options(
      "-C --dir --filter -F --package",
      "-r --recursive -w --workspace-root -s --silent --parallel -c --shell-mode",
      {
        subcommands: set("exec dlx"),
        packages: true,
      },
    ),
  ],
  [
    "yarn",
    options("--cwd -p --package", "-s --silent -q --quiet", { subcommands: set("exec dlx run"), packages: true }),
  ],
  ["bun", options("--cwd", "--bun --silent", { subcommands: set("x run"), packages: true })],
  [
    "uv",
    options("--with --python -p --project --directory", "-q --quiet --isolated --frozen --locked --no-sync", {
      subcommands: set("run"),
    }),
  ],
  ["poetry", options("-C --directory -P --project", "-q --quiet -n --no-interaction", { subcommands: set("run") })],
  ["pipenv", options("", "-q --quiet", { subcommands: set("run") })],
  ["bundle", options("", "", { subcommands: set("exec") })],
  ["cross-env", options("", "", { assignments: true })],
  ["cross-env-shell", options("", "", { assignments: true })],
]);

/** Programs that can run another one in ways too many to read: whatever stands inside is looked at, and nothing of it is certain. */
export const CARRIERS: ReadonlySet<string> = set(`
  docker podman nerdctl kubectl ssh su runuser systemd-run chroot unshare nsenter bwrap firejail flatpak strace ltrace gdb lldb valgrind perf
  flock script watch parallel entr concurrently nodemon onchange npm-run-all run-s run-p dotenv dotenvx direnv doppler hatch nox tox mise asdf rtx
  volta nix nix-shell devbox wsl start screen tmux expect unbuffer rlwrap xvfb-run dbus-run-session proot fakeroot sem retry hyperfine just task
`);

/** Flags after which code stands. Where a language has none, its first arguments are code. */
export const INTERPRETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["node", ["-e", "--eval", "-p", "--print"]],
  ["bun", ["-e", "--eval", "-p", "--print"]],
  ["deno", ["eval"]],
  ["python", ["-c"]],
  ["perl", ["-e", "-E"]],
  ["ruby", ["-e"]],
  ["php", ["-r"]],
  ["lua", ["-e"]],
  ["tsx", ["-e", "--eval", "-p", "--print"]],
  ["ts-node", ["-e", "--eval", "-p", "--print"]],
  ["osascript", ["-e"]],
  ["awk", []],
  ["gawk", []],
  ["mawk", []],
  ["sed", []],
  ["make", []],
  ["vim", []],
  ["vi", []],
  ["ex", []],
]);

export const GIT_GLOBALS: Options = options(
  "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source --list-cmds",
  `-p --paginate -P --no-pager --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
   --no-optional-locks --no-lazy-fetch --no-advice -v --version -h --help --html-path --man-path --info-path`,
);

/** Commands that come with git. Any other word may be an alias, and an alias can be anything. */
export const GIT_COMMANDS: ReadonlySet<string> = set(`
  add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
  checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential
  describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg
  for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help hook index-pack init init-db instaweb
  interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index
  merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed
  pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay request-pull rerere reset restore
  rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status
  stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info upload-archive
  upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree write-tree
`);
