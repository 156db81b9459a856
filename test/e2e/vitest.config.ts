import {defineConfig} from 'vitest/config';
import {scannerVitePlugin} from '../../scripts/lib/scanner.mjs';
import {longFiles} from '../../scripts/lib/suite/long-files.mjs';
import {patience} from '../support/patience.js';

/** Whether to run the files that `npm run test:long` runs (scripts/lib/suite/long-files.mjs), and no others. */
const isLong = process.env['GPU_LENS_LONG'] === '1';

/**
 * Number of windows open at a time, each on its own VS Code server, because user settings belong to a server. The tests
 * of one window mostly wait, so two windows fit on two cores. Long tests measure times, so they run alone.
 */
const windows = Number(process.env['GPU_LENS_WINDOWS'] ?? (isLong ? 1 : 2));

export default defineConfig({
  plugins: [scannerVitePlugin],
  test: {
    include: isLong ? longFiles('test/e2e/**/*.e2e.ts') : ['test/e2e/**/*.e2e.ts'],
    exclude: isLong ? [] : ['test/e2e/**/*.long.e2e.ts'],
    globalSetup: ['test/e2e/support/global-setup.ts'],
    setupFiles: ['test/e2e/support/setup.ts'],
    // These tests do not measure how soon a view answers: the machine may be busy, and six times as slow as usual.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: {poll: patience},
    maxWorkers: windows,
    // Files share the module that holds their worker's browser and server; each gets a new window.
    isolate: false,
    reporters: ['default'],
  },
});
