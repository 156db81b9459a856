// The unit tests that get modules of their own (vitest.config.ts). All others share those of their worker: modules are
// then read, and compiled by V8, once and not in every file, which saves a third of the processor's time.

/**
 * The rule: a file is isolated if it replaces a module (`vi.mock`, `vi.doMock`), if it measures the memory of its
 * process, or if the order of tests could matter, because a module under test remembers something for all who use it.
 */
export const isolatedFiles = [
  // The editor's and the processes' modules are replaced.
  ...['test/host/**/*.test.ts', 'test/launch/**/*.test.ts', 'test/scripts/**/*.test.ts'],
  'test/package/settings.test.ts',
  // Options of the command line hold for the whole process; programs and workers are run.
  ...[
    'test/cli/**/*.test.ts',
    'test/engine/**/*.test.ts',
    'test/sql/**/*.test.ts',
    'test/core/{format,text}/*.test.ts',
  ],
  // Widths of texts are remembered, and views keep state in their modules.
  ...['test/webview/**/*.test.ts', 'test/core/flame/svg-pen.test.ts'],
  // It measures the memory of its process.
  'test/parquet/read-parquet.test.ts',
  // Temporary folders that were looked through are remembered, and SQLite's methods are watched.
  ...[
    'test/importers/{cache,files}/*.test.ts',
    'test/importers/trace-cache.test.ts',
    'test/importers/nsys/{files-beside,defences}.test.ts',
  ],
];
