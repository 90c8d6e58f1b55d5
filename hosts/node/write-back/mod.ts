export { type DiskPort, nodeDisk } from "./disk-port.ts";
export { diskWriteBack } from "./disk-write-back.ts";
export { type Recovery, recoverWriteBack } from "./recover.ts";
