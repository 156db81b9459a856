/** The WebAssembly of src/scanner, which esbuild and vitest insert: see scripts/lib/scanner.mjs. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** The parts of WebAssembly that are used: Node's types leave them to the DOM's types. */
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
