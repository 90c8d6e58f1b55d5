// placeholder: replaced by the kernel's events
export interface RunEvent {
  readonly seq: number;
}
