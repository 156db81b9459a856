/** The WebAssembly of src/scanner, as esbuild and vitest put it in: scripts/lib/scanner.mjs. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** What is used of it: the types of Node leave it to those of a page. */
declare namespace WebAssembly {
  /** Compiled code. */
  type Module = object;
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  const Instance: new (module: Module) => {readonly exports: unknown};
  interface Memory {
    readonly buffer: SharedArrayBuffer;
  }
  interface Global {
    readonly value: number;
  }
}
