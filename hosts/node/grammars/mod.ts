/** Grammars on Node: the WebAssembly files of the installed packages. */
export { nodeGrammars } from "./node-grammars.ts";
