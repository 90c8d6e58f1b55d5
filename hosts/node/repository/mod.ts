export { type DiskForm, type DiskForms, plainForms } from "./disk-forms.ts";
export { type DiskPath, diskPath } from "./disk-path.ts";
export { openRepository, type RepositoryWorkspace } from "./open-repository.ts";
export { hashBlob } from "./repository-objects.ts";
export { withCrlf, withoutCrlf } from "./text-conversion.ts";
