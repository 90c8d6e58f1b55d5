import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandEnvironment } from "./environment.ts";

const plan = {
  home: "/run/home",
  tmp: "/run/tmp",
  path: ["/lane/node_modules/.bin", "/node/bin"],
  checkout: "/checkout",
  lane: "/lane",
  ceiling: "/base",
  extra: {},
};

describe("commandEnvironment", () => {
  test("passes the language and the time zone, and nothing else of the host's environment", () => {
    const host = {
      PATH: "/usr/bin",
      HOME: "/nowhere",
      LANG: "de_DE.UTF-8",
      TZ: "Asia/Tokyo",
      AWS_SECRET_ACCESS_KEY: "secret",
      NODE_OPTIONS: "--require /evil.js",
      TERM: "xterm",
      npm_config_registry: "https://registry.example",
      LD_PRELOAD: "/evil.so",
      GIT_DIR: "/checkout/.git",
    };
    expect(commandEnvironment({ ...plan, host })).toEqual({
      PATH: "/lane/node_modules/.bin:/node/bin:/usr/bin",
      HOME: "/run/home",
      TMPDIR: "/run/tmp",
      PWD: "/lane",
      LANG: "de_DE.UTF-8",
      TZ: "Asia/Tokyo",
      TERM: "dumb",
      CI: "1",
      NO_COLOR: "1",
      GIT_CEILING_DIRECTORIES: "/base",
      npm_config_update_notifier: "false",
    });
  });

  test("what the caller adds wins", () => {
    expect(commandEnvironment({ ...plan, host: {}, extra: { CI: "0", A: "1" } })).toMatchObject({ CI: "0", A: "1" });
  });

  test("a folder of the checkout on the PATH becomes the lane's", () => {
    const host = { PATH: "/checkout/node_modules/.bin:/checkout:/checkout-other/bin:/usr/bin", HOME: "/nowhere" };
    expect(commandEnvironment({ ...plan, host })["PATH"]).toBe(
      "/lane/node_modules/.bin:/node/bin:/lane:/checkout-other/bin:/usr/bin",
    );
  });

  test("says where tool chains are that live below the person's home, which the command does not get", async () => {
    const home = await mkdtemp(join(tmpdir(), "yada-home-"));
    try {
      await mkdir(join(home, ".pyenv"));
      const env = commandEnvironment({ ...plan, host: { HOME: home, NVM_DIR: "/opt/nvm" } });
      expect(env).toMatchObject({ PYENV_ROOT: join(home, ".pyenv"), NVM_DIR: "/opt/nvm", HOME: "/run/home" });
      expect(env).not.toHaveProperty("CARGO_HOME");
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
