/** Why a test file could not be loaded, by the words of Node, vite and jest. */
import type { ReportProblem } from "../../../core/evidence/mod.ts";

const IMPORT =
  /Failed to resolve import|Cannot find (module|package)|Failed to load url|does not provide an export|Missing "[^"]*" specifier|Failed to resolve entry for package|ERR_MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED/;
const SYNTAX =
  /SyntaxError|PARSE_ERROR|Parse failure|Transform failed|Failed to parse|Unexpected token|Jest failed to parse a file/;

/** `collection`: the file was loaded, and failed while its tests were being collected. */
export function loadProblem(error: {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
}): Extract<ReportProblem["code"], "import" | "syntax" | "collection"> {
  // A missing export is a SyntaxError to Node, so imports are asked for first.
  if (IMPORT.test(error.message) || IMPORT.test(error.code ?? "")) return "import";
  return SYNTAX.test(error.message) || error.name === "SyntaxError" ? "syntax" : "collection";
}
