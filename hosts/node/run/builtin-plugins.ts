/** The plugins that come with the package. They go through the same registry as any other. */
import type { Plugin } from "../../../core/plugin/mod.ts";
import type { Grammars } from "../../../core/syntax/mod.ts";
import { guards } from "../../../plugins/guards/mod.ts";
import { PRESENTERS } from "../../../plugins/presenters/mod.ts";
import { nodeTest, vitest } from "../../../plugins/runners/mod.ts";
import { directExecute, redGreen } from "../../../plugins/strategies/mod.ts";

export function builtinPlugins(grammars: Grammars): readonly Plugin[] {
  return [redGreen, directExecute, vitest, nodeTest, ...guards(grammars), ...PRESENTERS];
}
