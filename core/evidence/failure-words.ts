/**
 * What errors say, in the words of V8, Node, vite, vitest and jest. The words tell a test that asks production for what does not exist
 * (`missing_symbol`) from one that cannot be loaded (`broken_import`) and from one that is wrong in itself (`broken_test`).
 */

/** An export that a module does not have: V8 names the specifier, rollup the file. */
const NO_EXPORT = /does not provide an export named|is not exported by /;
const EXPORTER = /module ["']([^"']+)["'] does not provide/;

/** What a package or the engine does not offer. No production code could provide it. */
const NOT_OFFERED =
  /is not exported under the conditions|is not defined by "exports"|No such built-in module|ERR_UNKNOWN_BUILTIN_MODULE|ERR_PACKAGE_PATH_NOT_EXPORTED|Failed to resolve entry for package/;

const MODULE_NOT_FOUND =
  /Cannot find (?:module|package)|Failed to (?:load|resolve) (?:url|import)|ERR_MODULE_NOT_FOUND|\bMODULE_NOT_FOUND|does the file exist/i;
const SPECIFIER = /\b(?:module|package|url|import)\s+(?:"([^"]+)"|'([^']+)'|(\S+))/i;

/** Why something could not be loaded, or null where the error is none of loading. */
export function loadFailure(message: string, name = ""): "missing_symbol" | "broken_import" | null {
  if (NOT_OFFERED.test(message) || NOT_OFFERED.test(name)) return "broken_import";
  if (NO_EXPORT.test(message)) {
    const foreign =
      isOfPackage(EXPORTER.exec(message)?.[1] ?? "./") ||
      /is not exported by ["']?[^"',\s]*node_modules\//.test(message);
    return foreign ? "broken_import" : "missing_symbol";
  }
  if (!MODULE_NOT_FOUND.test(message) && !MODULE_NOT_FOUND.test(name)) return null;
  const [, double, single, bare] = SPECIFIER.exec(message) ?? [];
  return isOfPackage(double ?? single ?? bare ?? "") ? "broken_import" : "missing_symbol";
}

/** Paths, file URLs and the aliases of a repository (`#x`, `~/x`, `@/x`) name its own modules; everything else is a package or built in. */
function isOfPackage(specifier: string): boolean {
  return /[\\/]node_modules[\\/]/.test(specifier) || !/^(?:\.|\/|file:|#|~\/|@\/|[A-Za-z]:[\\/])/.test(specifier);
}

/** A call, a construction or a read of something that is not there. */
const NOT_THERE: readonly RegExp[] = [
  /\bis not a function\b/,
  /\bis not a constructor\b/,
  /\bis not iterable\b/,
  /\bClass extends value undefined\b/,
  /\bCannot (?:read|set) propert(?:y|ies) (?:'[^']{0,200}' )?of undefined\b/,
  /\bCannot destructure property .{1,300} as it is undefined\b/,
  /\bCannot use 'in' operator to search for .{0,300} in undefined\b/,
  /\bRight-hand side of 'instanceof' is not (?:callable|an object)/,
  /\bSpread syntax requires \.\.\.iterable/,
];

/** What the framework does not have is the test's own mistake: `expect(...).toBeOdd`, `assert.equals`. */
const OF_THE_FRAMEWORK =
  /\b(?:assert|expect|chai|vi|jest|test|it|describe)\b(?:\.|\(\.\.\.\))[\w.]* ?(?:\(intermediate value\))?[\w.]* is not a/;

/** Whether an error of the test file reads as the lack of something that production would provide. */
export function asksForMissing(message: string, name = ""): boolean {
  if (name === "ReferenceError" || /\bReferenceError\b|\bis not defined\b/.test(message)) return false;
  return NOT_THERE.some((pattern) => pattern.test(message)) && !OF_THE_FRAMEWORK.test(message);
}

/** vitest, of a mock whose factory left something out: the mock is the test's own, whoever asked it. */
export function isIncompleteMock(message: string): boolean {
  return /No "[^"]+" export is defined on the "[^"]+" mock/.test(message);
}

/** How the runners say that a file was loaded and holds no test. */
export function leftNoTest(message: string): boolean {
  return /left no test|no test (?:suite )?found/i.test(message);
}
