/** The guards that come with the package. */
import type { Guard } from "../../core/plugin/mod.ts";
import type { Grammars } from "../../core/syntax/mod.ts";
import { shadowingGuard } from "./shadowing.ts";
import { syntaxGuard } from "./syntax.ts";
import { undefinedNamesGuard } from "./undefined-names.ts";

/** All of them; those that parse use these grammars. */
export function guards(grammars: Grammars): readonly Guard[] {
  return [shadowingGuard, syntaxGuard(grammars), undefinedNamesGuard(grammars)];
}
