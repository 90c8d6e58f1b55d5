/** File names as JavaScript engines and runners write them, brought to one form. */

/**
 * A path with `/` only: no `file://`, no `/@fs` prefix of vite, no query, percent signs decoded in URLs. Windows drives are lower-cased.
 * Engine names (`node:fs`) come back unchanged.
 */
export function normalisePath(name: string): string {
  let path = name.trim();
  if (path.startsWith("file://")) {
    path = decode(path.slice("file://".length).replace(/[?#].*$/, ""));
    if (path.startsWith("localhost/")) path = path.slice("localhost".length);
  } else if (!path.startsWith("node:")) {
    path = path.replace(/\?[^/\\]*$/, "");
  }
  if (path.startsWith("/@fs/")) path = path.slice("/@fs".length);
  if (/^\/?[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\")) {
    path = path.replace(/^\/(?=[A-Za-z]:)/, "").replaceAll("\\", "/");
    path = path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  }
  return path;
}

/**
 * The path relative to `root` where it lies below it, else the normalised path. macOS reports `/private/tmp/x` for `/tmp/x`: both forms
 * are taken as one place.
 */
export function relativeTo(name: string, root: string | undefined): string {
  const path = normalisePath(name);
  if (root === undefined || root === "") return path;
  const base = withoutPrivate(normalisePath(root)).replace(/\/+$/, "");
  const full = withoutPrivate(path);
  return full.startsWith(`${base}/`) ? full.slice(base.length + 1) : path;
}

/** Whether a path that `relativeTo` gave lies outside the root. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

function withoutPrivate(path: string): string {
  return path.startsWith("/private/") ? path.slice("/private".length) : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
