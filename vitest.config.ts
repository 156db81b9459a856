import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import {scannerVitePlugin} from './scripts/lib/scanner.mjs';

/** Whether to run the files that `npm run test:long` runs, and no others. */
const isLong = process.env.GPU_LENS_LONG === '1';

export default defineConfig({
  plugins: [scannerVitePlugin],
  test: {
    include: [isLong ? 'test/**/*.long.test.ts' : 'test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**', ...(isLong ? [] : ['test/**/*.long.test.ts'])],
    testTimeout: 30_000,
    // One less than the machine has is vitest’s own choice.
    maxWorkers: availableParallelism(),
  },
});
