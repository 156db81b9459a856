import {defineConfig} from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.e2e.ts'],
    globalSetup: ['test/e2e/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // How soon a view must answer is no question of these tests: the machine may have other things to do.
    expect: {poll: {timeout: 20_000}},
    // Two cores have enough to do with one VS Code and one browser.
    fileParallelism: false,
    // A busy machine now and then loses a click in a real window; what needed its second try is named in the report.
    retry: 1,
    reporters: ['default'],
  },
});
