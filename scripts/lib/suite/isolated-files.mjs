// The unit tests that get modules of their own (vitest.config.ts). All others share those of their worker: modules are
// then read, and compiled by V8, once and not in every file, which takes two thirds of the processor's time.

/** The rule: a file that puts something in the place of a module (`vi.mock`, `vi.doMock`) is isolated. */
export const isolatedFiles = [
  // The editor's and the processes' modules.
  ...['test/host/**/*.test.ts', 'test/launch/**/*.test.ts', 'test/scripts/**/*.test.ts'],
  // Controls, which need a page.
  'test/webview/stack-controls.test.ts',
];
