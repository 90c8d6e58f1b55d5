import { describe, expect, test } from "vitest";
import { explain, loadPolicy, type Policy, parseCommand } from "./mod.ts";

async function load(text: string): Promise<Policy> {
  const loaded = await loadPolicy({ text, file: "policy.yaml" });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.policy;
}

function run(policy: Policy, command: string | readonly string[]): string {
  const { decision, by, rule } = explain(policy, { action: "run", command });
  return [decision, by, rule?.text ?? ""].join(" ").trim();
}

describe("a command line", () => {
  test.each<[line: string, argv: string[]]>([
    ["npm test", ["npm", "test"]],
    ["  npm \t test  ", ["npm", "test"]],
    ["npx vitest run 'a b.test.ts'", ["npx", "vitest", "run", "a b.test.ts"]],
    ['node -e "a \\"b\\" \\$c \\\\"', ["node", "-e", 'a "b" $c \\']],
    ['echo "a\\nb"', ["echo", "a\\nb"]],
    ["echo a\\ b \\'", ["echo", "a b", "'"]],
    ["echo '' \"\"", ["echo", "", ""]],
    ["echo a''b\"c\"'d'", ["echo", "abcd"]],
    ["echo '$HOME `x` | ; > * #'", ["echo", "$HOME `x` | ; > * #"]],
    ['echo "a | b; c > d * ? # ~"', ["echo", "a | b; c > d * ? # ~"]],
    ["git show stash@{0}", ["git", "show", "stash@{0}"]],
    ["npx vitest run {files}", ["npx", "vitest", "run", "{files}"]],
    ["echo a#b", ["echo", "a#b"]],
    ["echo 5$", ["echo", "5$"]],
    ["npm run a --x=y", ["npm", "run", "a", "--x=y"]],
    ["'A'=1 x", ["A=1", "x"]],
    ["echo \\*", ["echo", "*"]],
    ["vitest -t 'a\u00a0b'", ["vitest", "-t", "a\u00a0b"]],
  ])("%j is split by the rules of a shell", (line, argv) => {
    expect(parseCommand(line)).toEqual({ ok: true, argv });
  });

  test.each<[line: string, code: string, column: number]>([
    ["", "empty", 1],
    ["   ", "empty", 1],
    ["''", "empty", 1],
    ["npm test | tee x", "pipe", 10],
    ["npm test || true", "chain", 10],
    ["npm test && rm x", "chain", 10],
    ["npm test; rm x", "chain", 9],
    ["npm test & rm x", "background", 10],
    ["npm test &> x", "redirection", 10],
    ["npm test > x", "redirection", 10],
    ["npm test 2>&1", "redirection", 11],
    ["npm test < x", "redirection", 10],
    ["diff <(a) b", "substitution", 6],
    ["echo $(id)", "substitution", 6],
    ["echo `id`", "substitution", 6],
    ['echo "$(id)"', "substitution", 7],
    ['echo "`id`"', "substitution", 7],
    ["echo $HOME", "variable", 6],
    ["echo ${HOME}", "variable", 6],
    ['echo "$HOME"', "variable", 7],
    ["echo $'a\\nb'", "variable", 6],
    ["ls *.ts", "glob", 4],
    ["ls ?.ts", "glob", 4],
    ["ls [ab].ts", "glob", 4],
    ["echo {a,b}", "brace_expansion", 6],
    ["echo {1..3}", "brace_expansion", 6],
    ["ls ~/x", "tilde", 4],
    ["x --dir=~/x", "tilde", 9],
    ["npm test # x", "comment", 10],
    ["(npm test)", "subshell", 1],
    ["{ npm test", "subshell", 1],
    ["! npm test", "negation", 1],
    ["CI=1 npm test", "env_assignment", 1],
    ["A='x y' npm test", "env_assignment", 1],
    ["PATH+=x npm test", "env_assignment", 1],
    ["npm test\nrm x", "newline", 9],
    ["npm test\rrm x", "newline", 9],
    ["npm 'te\nst'", "newline", 8],
    ["npm test\u2028rm x", "newline", 9],
    ["npm\u00a0test", "unicode_space", 4],
    ["npm\u200btest", "unicode_space", 4],
    ["npm\u3000test", "unicode_space", 4],
    ["git pu\u202esh", "unicode_space", 7],
    ["npm te\u0007st", "control_character", 7],
    ["npm te\0st", "control_character", 7],
    ["echo 'a", "unclosed_quote", 6],
    ['echo "a', "unclosed_quote", 6],
    ["echo a\\", "trailing_backslash", 7],
    ["cd src", "shell_builtin", 1],
    ["source x", "shell_builtin", 1],
    ["  eval x", "shell_builtin", 3],
    ["'cd' src", "shell_builtin", 1],
    [`echo ${"a".repeat(40_000)}`, "too_long", 1],
  ])("%.40j is refused: %s at column %i", (line, code, column) => {
    expect(parseCommand(line)).toMatchObject({ ok: false, code, column });
  });
});

describe("what an allow grants", async () => {
  const policy = await load(`version: 1
commands:
  allow:
    - npm test
    - npm test *
    - npx vitest *
    - npx vitest --config vitest.e2e.ts *
    - node --test *
    - node scripts/*.mjs
    - git log *
    - git grep *
    - find . *
    - pytest *
    - python -m pytest *
    - go test *
    - cargo test *
    - mytool *
    - rg *
    - npx mocha *
    - npx jest *
`);

  test.each<[command: string | string[], decision: string]>([
    ["npm test", "allow commands npm test"],
    ["npm  'test'", "allow commands npm test"],
    ["npm test -- src/a.test.ts", "allow commands npm test *"],
    ["npx vitest", "allow commands npx vitest *"],
    ["npx vitest run src/a.test.ts -t 'adds two'", "allow commands npx vitest *"],
    ["npx vitest run --reporter=verbose", "allow commands npx vitest *"],
    ["npx vitest run --reporter json", "allow commands npx vitest *"],
    ["npx vitest run --config vitest.e2e.ts", "deny commands npx vitest *"],
    ["npx vitest --config vitest.e2e.ts run a.test.ts", "allow commands npx vitest --config vitest.e2e.ts *"],
    ["npx vitest --config evil.ts run", "deny commands npx vitest *"],
    [["npx", "vitest", "run"], "allow commands npx vitest *"],
    ["node --test test/a.test.js", "allow commands node --test *"],
    ["node --test --test-name-pattern adds", "allow commands node --test *"],
    ["node --test --test-reporter=tap", "allow commands node --test *"],
    ["node scripts/build.mjs", "allow commands node scripts/*.mjs"],
    ["git log --oneline -5", "allow commands git log *"],
    ["git grep -n foo", "allow commands git grep *"],
    ["pytest -k adds -x", "allow commands pytest *"],
    ["go test ./... -run TestA -v", "allow commands go test *"],
    ["mytool --verbose a b", "allow commands mytool *"],
    ["rg -n foo", "allow commands rg *"],
  ])("%j: %s", (command, decision) => {
    expect(run(policy, command)).toBe(decision);
  });

  test.each<[command: string | string[], decision: string]>([
    // Another spelling of the program is not what the rule names
    ["/usr/bin/npm test", "deny nothing"],
    ["./npm test", "deny nothing"],
    ["NPM test", "deny nothing"],
    ["npm.cmd test", "deny nothing"],
    ["npm tests", "deny nothing"],
    ["npmtest", "deny nothing"],
    ["npx vitestx", "deny nothing"],
    ["npx -y vitest", "deny nothing"],
    ["npx vitest@1", "deny nothing"],
    ["npx ../vitest", "deny nothing"],
    ["env npm test", "deny nothing"],
    ["env CI=1 npm test", "deny nothing"],
    ["sh -c 'npm test'", "deny nothing"],
    ["xargs npm test", "deny nothing"],
    ["npm\\ test", "deny nothing"],
    ["'npm test'", "deny nothing"],
    [["npm test"], "deny nothing"],
    [[""], "deny shell"],
    [[], "deny shell"],
    [["npm", "te\0st"], "deny shell"],
    // What needs a shell
    ["npm test; rm -rf .", "deny shell"],
    ["npm test $(id)", "deny shell"],
    ["npm test\n", "deny shell"],
    ["CI=1 npm test", "deny shell"],
    ["npm\u00a0test", "deny shell"],
    // Flags that add authority, in every spelling
    ["npx vitest run -c evil.ts", "deny commands npx vitest *"],
    ["npx vitest run -cevil.ts", "deny commands npx vitest *"],
    ["npx vitest run --config=evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --c\\onfig evil.ts", "deny commands npx vitest *"],
    ["npx vitest run -- --config evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --root /tmp", "deny commands npx vitest *"],
    ["npx vitest run --globalSetup ./evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --global-setup ./evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --reporter ./evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --reporter=./evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --poolOptions.forks.execArgv=-r", "deny commands npx vitest *"],
    ["npx vitest run --pool ./evil.ts", "deny commands npx vitest *"],
    ["npx vitest run --coverage.provider=custom", "deny commands npx vitest *"],
    ["npx vitest run --outputFile=src/a.ts", "deny commands npx vitest *"],
    ["npx vitest run -u", "deny commands npx vitest *"],
    ["npx vitest run -ur", "deny commands npx vitest *"],
    ["node --test --import ./evil.mjs", "deny commands node --test *"],
    ["node --test --import=./evil.mjs", "deny commands node --test *"],
    ["node --test -r ./evil.js", "deny commands node --test *"],
    ["node --test --experimental_loader ./evil.mjs", "deny commands node --test *"],
    ["node --test -e 'process.exit(0)'", "deny commands node --test *"],
    ["node --test --test-reporter ./evil.mjs", "deny commands node --test *"],
    ["node --test --env-file=.env", "deny commands node --test *"],
    ["node scripts/../evil.mjs", "deny nothing"],
    ["node scripts/a.mjs x", "deny nothing"],
    ["git log --output=src/a.ts", "deny commands git log *"],
    ["git log --ext-diff -p", "deny commands git log *"],
    ["git log --outp=src/a.ts", "deny commands git log *"],
    ["git grep -O foo", "deny commands git grep *"],
    ["git grep --open-files foo", "deny commands git grep *"],
    ["git grep -Oevil foo", "deny commands git grep *"],
    ["git -c core.pager=evil log", "deny nothing"],
    ["find . -name x -exec rm {} +", "deny commands find . *"],
    ["find . -delete", "deny commands find . *"],
    ["pytest -p evil", "deny commands pytest *"],
    ["pytest -pevil", "deny commands pytest *"],
    ["pytest -c evil.ini", "deny commands pytest *"],
    ["pytest --override-ini=x=y", "deny commands pytest *"],
    ["pytest --overri x=y", "deny commands pytest *"],
    ["python -m pytest -c evil.ini", "deny commands python -m pytest *"],
    ["python -m pytest --rootdir=/tmp", "deny commands python -m pytest *"],
    ["go test -exec ./evil ./...", "deny commands go test *"],
    ["go test --exec=./evil ./...", "deny commands go test *"],
    ["go test -toolexec ./evil ./...", "deny commands go test *"],
    ["cargo test --config evil.toml", "deny commands cargo test *"],
    ["mytool -c x", "deny commands mytool *"],
    ["mytool --exec x", "deny commands mytool *"],
    ["mytool --eval=x", "deny commands mytool *"],
    ["rg --pre ./evil foo", "deny commands rg *"],
    ["npm test -- --config evil.ts", "deny commands npm test *"],
    ["npm test --script-shell=./evil", "deny commands npm test *"],
    ["npm test --script-sh ./evil", "deny commands npm test *"],
    ["npx mocha --require ./evil.js", "deny commands npx mocha *"],
    ["npx jest --globalSetup=./evil.js", "deny commands npx jest *"],
  ])("%j is not granted: %s", (command, decision) => {
    expect(run(policy, command)).toBe(decision);
  });

  test("the reason names the argument that adds authority", () => {
    expect(explain(policy, { action: "run", command: "npx vitest run --config x.ts" }).why).toBe(
      '"--config" gives the command more authority than the rule names, and a wildcard does not stand for it: policy.yaml:6 says "npx vitest *".',
    );
  });
});

describe("what a deny and an ask mean", async () => {
  // Everything is allowed that could carry a denied command, so that only deny and ask stand in the way.
  const carriers =
    "git sh bash env npx npm xargs timeout nice nohup sudo find busybox /usr/bin/git ./git GIT git.exe git-push docker node python pnpm yarn cmd time stdbuf make powershell";
  const allow = carriers.split(" ").map((name) => `    - ${name} *\n    - ${name} -c *\n    - ${name} -e *`);
  const policy = await load(`version: 1
commands:
  allow:
${allow.join("\n")}
    - git -c alias.p=push *
    - xargs git
    - git -c alias.p=!git\\ push *
    - find . -exec git push {} +
    - npx -c *
    - npx --call *
    - npx -p x -c *
    - git rebase --exec *
    - env -S *
    - git --config-env=alias.p=X *
    - npm --prefix x *
    - powershell -EncodedCommand *
    - powershell -Command *
  ask: [npm install *]
  deny: [git push *, "rm -rf *", git commit --no-verify *]
`);

  test.each<[command: string | string[], decision: string]>([
    ["git push", "deny commands git push *"],
    ["git push origin main", "deny commands git push *"],
    ["git -C dir push", "deny commands git push *"],
    ["git --git-dir=x push", "deny commands git push *"],
    ["git --git-dir x --no-pager push", "deny commands git push *"],
    ["git -c alias.p=push p", "deny commands git push *"],
    ["git -c alias.p=push P", "deny commands git push *"],
    ["git -c 'alias.p=push -f' p", "deny commands git push *"],
    ["git -c 'alias.p=!git push' p", "deny commands git push *"],
    ["git -c alias.q=log -c alias.p=push p", "deny commands git push *"],
    ["/usr/bin/git push", "deny commands git push *"],
    ["./git push", "deny commands git push *"],
    ["GIT push", "deny commands git push *"],
    ["git.exe push", "deny commands git push *"],
    ["git-push origin", "deny commands git push *"],
    ["'git' \"push\"", "deny commands git push *"],
    ["g\\it pu''sh", "deny commands git push *"],
    [["git", "push"], "deny commands git push *"],
    ["env git push", "deny commands git push *"],
    ["env A=1 B=2 git push", "deny commands git push *"],
    ["env -i -u HOME A=1 git push", "deny commands git push *"],
    ["env -- git push", "deny commands git push *"],
    ["env -S 'git push'", "deny commands git push *"],
    ["env env nice -n 5 timeout 5 git push", "deny commands git push *"],
    ["timeout -k 1 5s git push", "deny commands git push *"],
    ["nice -5 git push", "deny commands git push *"],
    ["nohup git push", "deny commands git push *"],
    ["stdbuf -oL git push", "deny commands git push *"],
    ["time -p git push", "deny commands git push *"],
    ["sudo -u me git push", "deny commands git push *"],
    ["busybox sh -c 'git push'", "deny commands git push *"],
    ["sh -c 'git push'", "deny commands git push *"],
    ["sh -c 'cd x && git push'", "deny commands git push *"],
    ["sh -c 'true; A=1 git push origin'", "deny commands git push *"],
    ["sh -c 'if true; then git push; fi'", "deny commands git push *"],
    ["bash -ec 'git push'", "deny commands git push *"],
    ["bash -c -e 'git push'", "deny commands git push *"],
    ["bash -o pipefail -c 'x | git push'", "deny commands git push *"],
    ["sh -c \"sh -c 'git push'\"", "deny commands git push *"],
    ["sh -c 'git push > x 2>&1'", "deny commands git push *"],
    ["sh -c '{ git push; }'", "deny commands git push *"],
    ["sh -c 'case x in x) git push;; esac'", "ask commands git push *"],
    ["powershell -Command git push", "deny commands git push *"],
    ["powershell -EncodedCommand ZwBpAHQA", "ask commands git push *"],
    ["sh -c '(git push)'", "deny commands git push *"],
    ["sh -c 'git $X'", "ask commands git push *"],
    ["sh -c 'eval git push'", "deny commands git push *"],
    ["cmd /c git push", "deny commands git push *"],
    ["xargs git push", "deny commands git push *"],
    ["xargs git", "ask commands git push *"],
    ["find . -exec git push {} +", "deny commands git push *"],
    ["npx git push", "deny commands git push *"],
    ["npx -y git push", "deny commands git push *"],
    ["npx -c 'git push'", "deny commands git push *"],
    ["npm exec -- git push", "deny commands git push *"],
    ["pnpm exec git push", "deny commands git push *"],
    ["yarn run git push", "deny commands git push *"],
    ["git rebase --exec 'git push' main", "deny commands git push *"],
    ["git submodule foreach git push", "deny commands git push *"],
    ["git bisect run git push", "deny commands git push *"],
    ["rm -rf x", "deny commands rm -rf *"],
    ["env rm -r -f x", "deny commands rm -rf *"],
    ["env rm -fr x", "deny commands rm -rf *"],
    ["env rm --recursive --force x", "deny commands rm -rf *"],
    ["env rm -Rf x", "deny commands rm -rf *"],
    ["git commit -m x --no-verify", "deny commands git commit --no-verify *"],
    ["git commit -n -m x", "deny commands git commit --no-verify *"],
    // Not readable with certainty
    ["git p", "ask commands git push *"],
    ["git --config-env=alias.p=X p", "ask commands git push *"],
    ["git -c include.path=x status", "ask commands git push *"],
    ["git --unknown-global x push", "ask commands git push *"],
    ["sh -c 'git pu$(echo sh)'", "ask commands git push *"],
    ["sh -c '\"$A\" push'", "ask commands git push *"],
    ["sh -c 'g`echo it` push'", "ask commands git push *"],
    ['node -e \'spawn("git", ["push"])\'', "ask commands git push *"],
    ["python -c 'os.system(\"git push\")'", "ask commands git push *"],
    ["docker run x git push", "ask commands git push *"],
    ["env --unknown git push", "ask commands git push *"],
    ["git commit --no-ver -m x", "ask commands git commit --no-verify *"],
    // Asked
    ["npm install", "ask commands npm install *"],
    ["npm i left-pad", "ask commands npm install *"],
    ["npm add left-pad", "ask commands npm install *"],
    ["npm --prefix x install left-pad", "ask commands npm install *"],
    ["env npm install left-pad", "ask commands npm install *"],
    // Neither
    ["git log push", "allow commands git *"],
    ["git status", "allow commands git *"],
    ["git -c core.pager=evil log", "allow commands git -c *"],
    ["npm test install", "allow commands npm *"],
    ["env echo pushed", "allow commands env *"],
    ["sh -c 'npm test'", "allow commands sh -c *"],
    ["git commit -m 'git push'", "allow commands git *"],
    ["node -e '1 + 1'", "allow commands node -e *"],
  ])("%j: %s", (command, decision) => {
    expect(run(policy, command)).toBe(decision);
  });

  test("a wrapped form of what is only asked about is denied where nothing allows the wrapper", async () => {
    const strict = await load("version: 1\ncommands: { ask: [npm install *] }\n");
    expect(run(strict, "npm install x")).toBe("ask commands npm install *");
    expect(run(strict, "env npm install x")).toBe("deny nothing");
    expect(run(strict, "sh -c 'npm install x'")).toBe("deny nothing");
  });

  test("nesting without end is read as uncertain", () => {
    const argv = [...Array.from({ length: 50 }, () => "env"), "git", "push"];
    expect(run(policy, argv)).toBe("ask commands npm install *".replace("npm install", "git push"));
  });
});
