/** Names that a JavaScript file may use without declaring them. This module is browser compatible. */

/** Names of ECMAScript itself (ECMA-262, 2025) and of what each function has. */
export const languageNames: ReadonlySet<string> = words(`
  AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date
  DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array
  Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set
  SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array Uint8Array
  Uint8ClampedArray WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval
  globalThis isFinite isNaN parseFloat parseInt undefined unescape
`);

/** What Node, Deno, Bun, workers and pages add. */
export const hostNames: ReadonlySet<string> = words(`
  AbortController AbortSignal Blob BroadcastChannel Buffer Bun ByteLengthQueuingStrategy CloseEvent CompressionStream
  CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DecompressionStream Deno ErrorEvent Event EventSource EventTarget
  File FileList FileReader FormData Headers MessageChannel MessageEvent MessagePort Navigator Performance PerformanceEntry
  PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming
  ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController
  ReadableStreamDefaultReader Request Response Storage SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream
  TransformStream TransformStreamDefaultController URL URLPattern URLSearchParams WebAssembly WebSocket WebSocketStream
  WritableStream WritableStreamDefaultController WritableStreamDefaultWriter __dirname __filename atob btoa caches clearImmediate
  clearInterval clearTimeout console crypto exports fetch gc global importScripts localStorage module name navigator performance
  process queueMicrotask reportError require self sessionStorage setImmediate setInterval setTimeout structuredClone
  webkitURL postMessage scheduler
`);

/** What only a page or a worker has. Interfaces of the DOM are known by their form; see `isPageName`. */
const pageNames: ReadonlySet<string> = words(`
  Attr Audio AudioContext CSS Comment Document DocumentFragment DOMMatrix DOMParser DOMPoint DOMRect DOMRectReadOnly DragEvent
  Element FocusEvent FontFace History Image ImageBitmap ImageData InputEvent IntersectionObserver IntersectionObserverEntry
  KeyboardEvent Location MediaQueryList MediaRecorder MediaStream MouseEvent MutationObserver MutationRecord Node NodeFilter
  NodeList Notification OffscreenCanvas Option Path2D PointerEvent PopStateEvent ProgressEvent PromiseRejectionEvent Range
  ResizeObserver ResizeObserverEntry Screen Selection ShadowRoot SharedWorker StorageEvent StyleSheet SubmitEvent Text Touch
  TouchEvent TransitionEvent AnimationEvent ClipboardEvent ClipboardItem DataTransfer TreeWalker UIEvent WheelEvent Window Worker
  XMLHttpRequest XMLSerializer XPathEvaluator XPathResult addEventListener alert cancelAnimationFrame cancelIdleCallback close
  closed confirm customElements dispatchEvent document event external find focus blur frames frameElement getComputedStyle
  getSelection history indexedDB innerHeight innerWidth isSecureContext length location locationbar matchMedia menubar moveBy
  moveTo open opener origin outerHeight outerWidth pageXOffset pageYOffset parent print prompt removeEventListener
  requestAnimationFrame requestIdleCallback resizeBy resizeTo screen screenX screenY scroll scrollBy scrollTo scrollX scrollY
  scrollbars skipWaiting clients registration speechSynthesis status statusbar stop toolbar top trustedTypes visualViewport window
  createImageBitmap Animation ValidityState HTMLCollection NamedNodeMap DOMTokenList DOMStringMap IDBKeyRange CSSStyleSheet
  AbstractRange StaticRange EventCounts GamepadEvent Lock LockManager VideoFrame WorkerGlobalScope DedicatedWorkerGlobalScope
  ServiceWorkerGlobalScope SharedWorkerGlobalScope AudioWorkletProcessor registerProcessor sampleRate currentTime currentFrame
`);

/** Names by which tests, groups and hooks are declared, in the dialects of vitest, jest, mocha, jasmine and node:test. */
export const testFunctionNames: ReadonlyMap<
  string,
  { readonly role: "test" | "suite" | "hook"; readonly modifier?: string }
> = new Map<string, { readonly role: "test" | "suite" | "hook"; readonly modifier?: string }>([
  ...["test", "it", "specify"].map((name) => [name, { role: "test" }] as const),
  ...["xit", "xtest", "xspecify"].map((name) => [name, { role: "test", modifier: "skip" }] as const),
  ...["fit", "ftest"].map((name) => [name, { role: "test", modifier: "only" }] as const),
  ...["describe", "suite", "context"].map((name) => [name, { role: "suite" }] as const),
  ...["xdescribe", "xcontext"].map((name) => [name, { role: "suite", modifier: "skip" }] as const),
  ...["fdescribe", "fcontext"].map((name) => [name, { role: "suite", modifier: "only" }] as const),
  ...[
    ...words(
      "before after beforeAll afterAll beforeEach afterEach aroundEach aroundAll setup teardown suiteSetup suiteTeardown onTestFailed onTestFinished",
    ),
  ].map((name) => [name, { role: "hook" }] as const),
]);

/** What a test framework offers beside them: assertions and stand-ins. */
export const testToolNames: ReadonlySet<string> = words(`
  assert assertType bench chai cy Cypress browser expect expectTypeOf jest jasmine mock mocha page run should sinon spyOn vi vitest
  pending fail
`);

/** Modules that give test functions and assertions. A name of theirs may be imported from here and from nowhere else. */
export function isTestModule(source: string): boolean {
  return /^(?:vitest|@vitest\/[\w-]+|@jest\/globals|(?:node:)?(?:test|assert|assert\/strict)|mocha|chai|expect|ava|tape|tap|uvu|uvu\/assert|bun:test|@playwright\/test|power-assert|should|sinon|jsr:@std\/(?:testing|expect|assert)(?:@[^/]*)?(?:\/[\w-]+)?|@std\/(?:testing|expect|assert)(?:\/[\w-]+)?)$/.test(
    source,
  );
}

/** Whether a name means something in a test file that a declaration of the same name would take away. */
export function isReservedForTests(name: string): boolean {
  return testFunctionNames.has(name) || testToolNames.has(name) || name.startsWith("__");
}

/** Whether a name may be used without a declaration in some place where JavaScript runs. */
export function isKnownName(name: string): boolean {
  return languageNames.has(name) || hostNames.has(name) || isReservedForTests(name) || isPageName(name);
}

function isPageName(name: string): boolean {
  return (
    pageNames.has(name) ||
    /^(?:HTML|SVG|CSS|IDB|RTC|WebGL|GPU|MathML|Audio|Media|ServiceWorker|Payment|Speech|XR|Font|Performance|DOM|Storage|Animation|Keyframe)[A-Z0-9]\w*$/.test(
      name,
    ) ||
    /^on[a-z]+$/.test(name)
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
