import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import {scannerVitePlugin} from './scripts/lib/scanner.mjs';

export default defineConfig({
  plugins: [scannerVitePlugin],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    testTimeout: 30_000,
    // One less than the machine has is vitest’s own choice.
    maxWorkers: availableParallelism(),
  },
});
