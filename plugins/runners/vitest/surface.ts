/**
 * What can change which tests vitest collects or how it judges them. A **new** file that falls under this is a change of it: the question
 * behind each line is "which added file could make a failing test pass without a change of production?".
 */
export const surface: readonly string[] = [
  // Loaded by vitest and vite from the root and from each project's folder; the first name found wins, so a new one can take over.
  "**/vitest.config.*",
  "**/vitest.*.config.*",
  "**/vitest.config-*",
  "**/vitest.workspace.*",
  "**/vitest.projects.*",
  "**/vite.config.*",
  "**/vite.*.config.*",
  // Executed in the runner's own process while vite reads its configuration (https://vite.dev/config/shared-options#css-postcss).
  "**/postcss.config.*",
  "**/.postcssrc*",
  "package.json#/postcss",
  "**/package.json#/postcss",
  // Read by plugins that compile test and production files.
  "**/babel.config.*",
  "**/.babelrc*",
  "**/.swcrc",
  "**/svelte.config.*",
  "**/astro.config.*",
  "**/nuxt.config.*",
  // `jsx`, `jsxImportSource`, decorators and, with `resolve.tsconfigPaths`, `paths`: which module an import means.
  "**/tsconfig*.json",
  "**/jsconfig*.json",
  // Set-up by convention. What a configuration names elsewhere is found by `configuredSurface`.
  "**/{vitest,vite,test,tests,jest}{.,-,_}{setup,global-setup,globalSetup,teardown,environment,matchers}.*",
  "**/{vitest,test,jest}{Setup,GlobalSetup}.*",
  "**/{setupTests,setup-tests,setupFiles,setupVitest,setup-vitest,globalSetup,global-setup,globalTeardown,global-teardown}.*",
  "**/{test,tests,__tests__,spec,specs,e2e}/**/{setup,teardown,environment}{,-*,.*}.*",
  "**/{test,tests,__tests__,spec,specs,e2e}/**/setup/**",
  "**/{vitest-setup,test-setup}/**",
  "setup.{ts,mts,cts,js,mjs,cjs,tsx,jsx}",
  "**/vitest-environment-*/**",
  // `vi.mock(path)` takes a file from here in place of the real module, and a root `__mocks__` stands in for packages.
  "**/__mocks__/**",
  // Recorded results.
  "**/__snapshots__/**",
  "**/*.snap",
  "**/__screenshots__/**",
  // vite reads these by mode; they reach the tests as `import.meta.env`.
  "**/.env",
  "**/.env.*",
  // A package beside the source wins over the installed one.
  "**/node_modules/**",
  "**/.pnp.*",
  // The package managers' own settings: `node-options`, `script-shell`.
  "**/.npmrc",
  "**/.yarnrc*",
  "**/.pnpmfile.*",
  // Scripts that start the tests, and which vitest is installed.
  ...[
    "scripts/test",
    "scripts/pretest",
    "scripts/posttest",
    "vitest",
    "devDependencies/vitest",
    "dependencies/vitest",
    "overrides",
    "resolutions",
    "pnpm",
    "babel",
  ].flatMap((key) => [`package.json#/${key}`, `**/package.json#/${key}`]),
];
