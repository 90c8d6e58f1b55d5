/** Dependencies point one way: hosts -> plugins -> core. See docs/architecture.md. */
export default {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "core-stands-alone",
      comment: "core imports no plugin and no host",
      severity: "error",
      from: { path: "^core/" },
      to: { path: "^(plugins|hosts|bench|scripts|test)/" },
    },
    {
      name: "plugins-know-no-host",
      severity: "error",
      from: { path: "^plugins/" },
      to: { path: "^(hosts|bench|scripts|test)/" },
    },
    {
      name: "no-node-in-core-or-plugins",
      comment:
        "Runs on Deno and in a page as well. Tests and the reporters, which run inside a test runner, are not part of it.",
      severity: "error",
      from: { path: "^(core|plugins)/", pathNot: "(\\.test\\.ts|/reporter\\.mjs)$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "through-the-face",
      comment: "A folder of core is entered by its mod.ts",
      severity: "error",
      from: { path: "^(core|plugins|hosts)/([^/]+)/" },
      to: { path: "^core/([^/]+)/.+", pathNot: ["^core/[^/]+/mod\\.ts$", "^$1/$2/"] },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|test/fixtures|examples)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
