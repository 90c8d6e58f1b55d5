/** The folders of one run of one command: where it reports, what it is given, its home and its temporary files. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { normalizePath } from "../../../core/workspace/mod.ts";
import { removeTree } from "./remove-tree.ts";

export const maxReportBytes = 64 * 2 ** 20;

export interface RunPlace {
  readonly out: string;
  readonly report: string;
  readonly support: string;
  readonly home: string;
  readonly tmp: string;
  /** When it was made, by the clock of the file system. */
  readonly madeMs: number;
  readReport(): Promise<{ text: string | null; note?: string }>;
  remove(): Promise<void>;
}

/** A folder with a name that nobody can guess, below `parent`, with `files` in its support folder. Throws for a file name that leads out of it. */
export async function makeRunPlace(parent: string, files: Readonly<Record<string, string>>): Promise<RunPlace> {
  const place = join(parent, `run-${randomBytes(16).toString("hex")}`);
  const [out, support, home, tmp] = ["out", "support", "home", "tmp"].map((name) => join(place, name)) as [
    string,
    string,
    string,
    string,
  ];
  await mkdir(place, { mode: 0o700 });
  await Promise.all([out, support, home, tmp].map((path) => mkdir(path, { mode: 0o700 })));
  for (const [name, text] of Object.entries(files)) {
    const normal = normalizePath(name);
    if (!normal.ok) throw new Error(`${name}: no name for a file of the support folder.`);
    await mkdir(dirname(join(support, normal.path)), { recursive: true });
    await writeFile(join(support, normal.path), text);
  }
  const made = await stat(out);
  const report = join(out, "report");
  return {
    out,
    report,
    support,
    home,
    tmp,
    madeMs: made.ctimeMs,
    readReport: async () => {
      const now = await lstat(out).catch(() => undefined);
      if (now?.isDirectory() !== true || now.ino !== made.ino)
        return { text: null, note: "The report's folder was replaced." };
      return readPlainFile(report);
    },
    remove: () => removeTree(place),
  };
}

/** Never through a link, and never from a pipe that would not end. */
async function readPlainFile(path: string): Promise<{ text: string | null; note?: string }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => error);
  if (!isHandle(file)) {
    const code = file instanceof Error && "code" in file ? file.code : undefined;
    if (code === "ENOENT") return { text: null };
    const why = code === "ELOOP" ? "is a link" : `could not be opened (${String(code)})`;
    return { text: null, note: `The report was refused: it ${why}.` };
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { text: null, note: "The report was refused: it is no plain file." };
    if (stats.size > maxReportBytes) {
      return { text: null, note: `The report was refused: it is longer than ${maxReportBytes} bytes.` };
    }
    return { text: await file.readFile("utf8") };
  } finally {
    await file.close();
  }
}

function isHandle(value: unknown): value is Awaited<ReturnType<typeof open>> {
  return typeof value === "object" && value !== null && "readFile" in value;
}
