import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "hosts/library/mod.ts", node: "hosts/node/mod.ts", cli: "hosts/cli/bin.ts" },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: { sourcemap: false },
  sourcemap: true,
  clean: true,
  outDir: "dist",
  fixedExtension: true,
});
