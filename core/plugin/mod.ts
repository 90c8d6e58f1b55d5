export * from "./contracts.ts";
export { definePlugin, pluginProblems } from "./define-plugin.ts";
export { createRegistry, type Registry, type RegistryResult } from "./registry.ts";
export { type Occasion, selectPresenter } from "./select-presenter.ts";
