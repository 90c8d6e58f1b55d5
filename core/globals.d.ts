/**
 * The web globals that Node, Deno and browsers share and that the kernel may use.
 * `tsconfig.core.json` compiles core and plugins with these alone, so a slip into `process` or `document` does not compile.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
  readonly pathname: string;
}
