import {defineConfig} from 'vitest/config';
import {matchesGlob} from 'node:path';
import {scannerVitePlugin} from './scripts/lib/scanner.mjs';
import {isolatedFiles} from './scripts/lib/suite/isolated-files.mjs';
import {aloneFiles, longFiles} from './scripts/lib/suite/long-files.mjs';
import {slowFiles} from './scripts/lib/suite/quick-files.mjs';
import {workersFor} from './scripts/lib/suite/workers.mjs';
import {patience} from './test/support/patience.js';

/** Whether to run the files that `npm run test:long` runs (scripts/lib/suite/long-files.mjs), and no others. */
const isLong = process.env.GPU_LENS_LONG === '1';

/** Whether to skip the files that `npm test -- --quick` skips. Projects ignore vitest's `--exclude`. */
const isQuick = process.env.GPU_LENS_QUICK === '1';

const everyday = ['test/**/*.test.ts'];
const long = isLong ? longFiles(...everyday).filter(path => !aloneFiles.includes(path)) : [];
/** The files, and those of them that get modules of their own. */
const include = isLong ? long : everyday;
const isolated = isLong
  ? long.filter(path => isolatedFiles.some(pattern => matchesGlob(path, pattern)))
  : isolatedFiles;
const exclude = [
  'test/e2e/**',
  'node_modules/**',
  ...(isLong ? [] : ['test/**/*.long.test.ts']),
  ...(isQuick ? slowFiles : []),
];

export default defineConfig({
  plugins: [scannerVitePlugin],
  test: {
    // These tests do not measure how long an answer takes: the machine may be busy.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: {poll: patience},
    // vitest’s own default is one less than the machine has.
    maxWorkers: workersFor({gib: 2}),
    projects: [
      {extends: true, test: {name: 'isolated', include: isolated, exclude}},
      {extends: true, test: {name: 'shared', include, exclude: [...exclude, ...isolatedFiles], isolate: false}},
      // One after another, and nothing beside them.
      ...(isLong
        ? [
            {
              extends: true as const,
              test: {name: 'alone', include: aloneFiles, maxWorkers: 1, sequence: {groupOrder: 1}},
            },
          ]
        : []),
    ],
  },
});
