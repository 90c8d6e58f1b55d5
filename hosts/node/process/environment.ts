/** The environment of a command: an allow-list. */
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";

/** Variables of the host that a command may see as they are. */
const passed = ["LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/**
 * Where tool chains live below the person's home. The command gets another HOME, so the variable says where the tool is: its
 * value in the host's environment or else the usual place, if that exists.
 */
const toolHomes: Readonly<Record<string, string>> = {
  ASDF_DATA_DIR: ".asdf",
  CARGO_HOME: ".cargo",
  COREPACK_HOME: ".cache/node/corepack",
  GOMODCACHE: "go/pkg/mod",
  MISE_DATA_DIR: ".local/share/mise",
  NVM_DIR: ".nvm",
  PLAYWRIGHT_BROWSERS_PATH: ".cache/ms-playwright",
  PUPPETEER_CACHE_DIR: ".cache/puppeteer",
  PYENV_ROOT: ".pyenv",
  RBENV_ROOT: ".rbenv",
  RUSTUP_HOME: ".rustup",
  SDKMAN_DIR: ".sdkman",
  VOLTA_HOME: ".volta",
};

export interface EnvironmentPlan {
  /** The host's own environment, from which the allowed variables are taken. */
  readonly host: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly tmp: string;
  /** Folders that come first on the PATH. */
  readonly path: readonly string[];
  /** The checkout and the lane that stands for it: a folder of the checkout on the host's PATH becomes the lane's. */
  readonly checkout: string;
  readonly lane: string;
  /** Where tools stop looking upwards for a repository. */
  readonly ceiling: string;
  /** What the caller adds; it wins. */
  readonly extra: Readonly<Record<string, string>>;
}

/** PATH, a private HOME and TMPDIR, language and time zone, where tool chains live, `CI=1`, and what the caller adds. */
export function commandEnvironment(plan: EnvironmentPlan): Record<string, string> {
  const env: Record<string, string> = {
    PATH: pathOf(plan),
    HOME: plan.home,
    TMPDIR: plan.tmp,
    PWD: plan.lane,
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "1",
    NO_COLOR: "1",
    GIT_CEILING_DIRECTORIES: plan.ceiling,
    npm_config_update_notifier: "false",
  };
  for (const name of passed) {
    const value = plan.host[name];
    if (value !== undefined && value !== "") env[name] = value;
  }
  for (const [name, place] of Object.entries(toolHomes)) {
    const value = plan.host[name] ?? join(plan.host["HOME"] ?? "/", place);
    if (plan.host[name] !== undefined || existsSync(value)) env[name] = value;
  }
  return { ...env, ...plan.extra };
}

function pathOf(plan: EnvironmentPlan): string {
  const inherited = (plan.host["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).map((folder) => {
    const inside = relative(plan.checkout, folder);
    const isInside = isAbsolute(folder) && inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside);
    return isInside ? join(plan.lane, inside) : folder;
  });
  return [...new Set([...plan.path, ...inherited])].join(delimiter);
}
