// What the declarations name of the runtime, so that programs without @types/node and the DOM's
// types compile; with them these merge.
declare global {
  interface AbortSignal {
    readonly aborted: boolean;
  }
  interface AbortController {
    readonly signal: AbortSignal;
  }
  interface Headers {
    get(name: string): string | null;
  }
  interface Response {
    readonly status: number;
  }
  interface URL {
    readonly origin: string;
  }
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

export type Fetch = typeof globalThis extends { fetch: infer Own } ? Own : never;
