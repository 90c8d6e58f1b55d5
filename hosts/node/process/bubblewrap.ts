/** What a command sees of the machine under bubblewrap (https://github.com/containers/bubblewrap), as its arguments. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** The words before the command. The program reports about itself on descriptor 3. */
export interface Bubblewrap {
  readonly argv: readonly string[];
}

/** How bubblewrap may be used on this machine, as the probe found. */
export interface BubblewrapProgram {
  readonly program: string;
  /** Whether a user namespace has to be made. Without one the capabilities of root are dropped all the same. */
  readonly hasUserNamespace: boolean;
}

/** All paths are absolute. */
export interface View {
  /** Writable, and the working directory. */
  readonly lane: string;
  /** Becomes `/tmp`. */
  readonly tmp: string;
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** Empty folders (or files) in their place. Those that do not exist are passed over. */
  readonly hidden: readonly string[];
  /** `from` appears at `to`, after everything above is hidden. */
  readonly mounts: readonly { readonly from: string; readonly to: string; readonly writable: boolean }[];
  readonly network: boolean;
}

/** Places below the home that hold keys and passwords. */
const credentials = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/op",
  ".docker",
  ".kube",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".git-credentials",
  ".config/git/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".bash_history",
  ".zsh_history",
  ".node_repl_history",
  ".python_history",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
];

/** Below `/run`: where NixOS keeps programs, and what finds names where the network may be used. */
const keptOfRun = ["/run/current-system", "/run/wrappers", "/run/opengl-driver"];
const keptForNetwork = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd"];

/** Which folders a sandbox always replaces, so that what has to be seen below them is mounted again. */
export function isReplaced(path: string, hidden: readonly string[]): boolean {
  return [...replacedFolders(), ...hidden].some((folder) => isWithin(folder, path));
}

function replacedFolders(): string[] {
  const folders = ["/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm"];
  return folders.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink());
}

/** Arguments for a read-only system in which only the lane and a few named places can be written. Order matters: later covers earlier. */
export function bubblewrapOf(use: BubblewrapProgram, view: View, home: string | undefined): Bubblewrap {
  const kept = [...keptOfRun, ...(view.network ? keptForNetwork : [])].filter((path) => existsSync(path));
  const hidden = [...(home === undefined ? [] : credentials.map((name) => `${home}/${name}`)), ...view.hidden];
  return {
    argv: [
      use.program,
      ...(use.hasUserNamespace ? ["--unshare-user"] : []),
      ...["--cap-drop", "ALL", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
      "--unshare-cgroup-try",
      ...(view.network ? [] : ["--unshare-net"]),
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
      ...replacedFolders().flatMap((path) =>
        path === "/tmp" ? ["--bind", view.tmp, path] : path === "/dev/shm" ? [] : ["--tmpfs", path],
      ),
      ...kept.flatMap((path) => ["--ro-bind", realpathSync(path), path]),
      ...hidden.flatMap(hiding),
      ...view.mounts.flatMap((mount) => [mount.writable ? "--bind" : "--ro-bind", mount.from, mount.to]),
      ...view.readable.flatMap((path) => ["--ro-bind", path, path]),
      ...[view.lane, ...view.writable].flatMap((path) => ["--bind", path, path]),
      ...["--chdir", view.lane, "--json-status-fd", "3", "--"],
    ],
  };
}

function hiding(path: string): string[] {
  try {
    const real = realpathSync(path);
    return lstatSync(real).isDirectory() ? ["--tmpfs", real] : ["--ro-bind", "/dev/null", real];
  } catch {
    return [];
  }
}

/** Whether `path` is `folder` or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === "" || (inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside));
}
