/**
 * What can change which tests `node --test` collects or how it judges them. A **new** file that falls under this is a change of it: the
 * question behind each line is "which added file could make a failing test pass without a change of production?".
 */
export const surface: readonly string[] = [
  // Read with --experimental-default-config-file; another name has to stand in the command (https://nodejs.org/api/cli.html#--experimental-config-file).
  "**/node.config.json",
  // --env-file: NODE_OPTIONS in it loads code into every process.
  "**/.env",
  "**/.env.*",
  // Set-up by convention. What a script names elsewhere is found by `configuredSurface`.
  "**/{test,tests}{.,-,_}{setup,global-setup,globalSetup,teardown,loader,hooks,register,preload}.*",
  "**/{setupTests,setup-tests,setup_tests,globalSetup,global-setup,globalTeardown,global-teardown}.*",
  "**/{test,tests,__tests__,spec,specs}/**/{setup,teardown,loader,hooks,register,preload}{,-*,_*,.*}.*",
  "**/{test,tests,__tests__,spec,specs}/**/{setup,loader,hooks}/**",
  "setup.{ts,mts,cts,js,mjs,cjs}",
  // Recorded results of t.assert.snapshot().
  "**/*.snapshot",
  // Read by loaders (tsx, ts-node, swc): `paths` says which module an import means, `jsx` what the code becomes.
  "**/tsconfig*.json",
  "**/jsconfig*.json",
  "**/.swcrc",
  "**/babel.config.*",
  "**/.babelrc*",
  // A package beside the source wins over the installed one: an `assert` of the project's own, say.
  "**/node_modules/**",
  "**/.pnp.*",
  // The package managers' own settings: `node-options`, `script-shell`.
  "**/.npmrc",
  "**/.yarnrc*",
  "**/.pnpmfile.*",
  // Where a package.json stands decides whether the .js files below it are modules, and `imports` what a name with `#` means.
  ...[
    "type",
    "imports",
    "scripts/test",
    "scripts/pretest",
    "scripts/posttest",
    "overrides",
    "resolutions",
    "pnpm",
    "ts-node",
  ].flatMap((key) => [`package.json#/${key}`, `**/package.json#/${key}`]),
];
