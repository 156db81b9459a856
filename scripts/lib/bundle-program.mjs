// Bundles a TypeScript program of the tests into one file for Node.
import esbuild from 'esbuild';
import {dirname, join} from 'node:path';
import {root} from './run.mjs';
import {scannerPlugin} from './scanner.mjs';

const node = {bundle: true, platform: 'node', target: 'node22', external: ['better-sqlite3'], plugins: [scannerPlugin]};

/** Variables that bundled CommonJS packages expect. */
const banner = `import {createRequire as requireOf} from 'node:module';
const require = requireOf(import.meta.url);
const __dirname = import.meta.dirname;`;

/**
 * Bundles `test/<source>` into `target`, and returns the target. With the threads' programs beside it, it reads large
 * files in two threads. `vscode` names a file that replaces the editor's API.
 */
export async function bundleProgram(source, target, {withThreads = false, vscode} = {}) {
  await esbuild.build({
    ...node,
    ...(vscode && {alias: {vscode}}),
    entryPoints: [join(root, 'test', source)],
    outfile: target,
    format: 'esm',
    banner: {js: banner},
  });
  if (withThreads) {
    const importers = join(root, 'src', 'importers');
    const threads = {
      scan: join(importers, 'kineto', 'scan-worker.ts'),
      pages: join(importers, 'sqlite', 'page-worker.ts'),
    };
    const outExtension = {'.js': '.cjs'};
    await esbuild.build({...node, entryPoints: threads, outdir: dirname(target), outExtension, format: 'cjs'});
  }
  return target;
}
