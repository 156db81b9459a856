import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import {scannerVitePlugin} from './scripts/lib/scanner.mjs';
import {isolatedFiles} from './scripts/lib/suite/isolated-files.mjs';
import {slowFiles} from './scripts/lib/suite/quick-files.mjs';

/** Whether to run the files that `npm run test:long` runs, and no others. */
const isLong = process.env.GPU_LENS_LONG === '1';

/** Whether to leave out the files that `npm test -- --quick` leaves out. Projects know nothing of vitest's `--exclude`. */
const isQuick = process.env.GPU_LENS_QUICK === '1';

const include = [isLong ? 'test/**/*.long.test.ts' : 'test/**/*.test.ts'];
const exclude = [
  'test/e2e/**',
  'node_modules/**',
  isLong ? 'test/**/!(*.long).test.ts' : 'test/**/*.long.test.ts',
  ...(isQuick ? slowFiles : []),
];

export default defineConfig({
  plugins: [scannerVitePlugin],
  test: {
    // How long an answer takes is no question of these tests: the machine may have other things to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: {poll: {timeout: 60_000}},
    // One less than the machine has is vitest’s own choice.
    maxWorkers: availableParallelism(),
    projects: [
      {extends: true, test: {name: 'isolated', include: isolatedFiles, exclude}},
      {extends: true, test: {name: 'shared', include, exclude: [...exclude, ...isolatedFiles], isolate: false}},
    ],
  },
});
