// npm run test:desktop: a few tests in a desktop VS Code, which @vscode/test-cli downloads. The end-to-end tests of `npm test`
// run in the VS Code of code-server, whose extension host is Node; that of the desktop is Electron.
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, node24, root} from './lib/run.mjs';

await ensureDependencies();
await must(node24, ['esbuild.mjs', '--production']);
const workspace = mkdtempSync(join(tmpdir(), 'gpu-lens-desktop-'));
try {
  cpSync(join(root, 'media', 'sample'), workspace, {recursive: true});
  await must(node24, [join(root, 'node_modules', '@vscode', 'test-cli', 'out', 'bin.mjs')], {
    env: {GPU_LENS_WORKSPACE: workspace},
  });
} finally {
  rmSync(workspace, {recursive: true, force: true, maxRetries: 5});
}
