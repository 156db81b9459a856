// What @vscode/test-cli runs: see scripts/test-desktop.mjs.
import {defineConfig} from '@vscode/test-cli';

export default defineConfig({
  files: 'test/desktop/*.test.cjs',
  workspaceFolder: process.env.GPU_LENS_WORKSPACE,
  launchArgs: ['--disable-workspace-trust'],
  mocha: {ui: 'bdd', timeout: 120_000},
});
