import type {Plugin} from 'vite';

/** Compiles src/scanner and serves it as `scanner.wasm`. */
export const scannerVitePlugin: Plugin;
