// npm run bench:timeline -- FILE…: how long the questions of a timeline take on an open trace, one line of JSON a file.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, say} from './lib/run.mjs';

await ensureDependencies();
// esbuild is one of the dependencies.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Name the files: npm run bench:timeline -- out/bench/large.json');
const target = join(out, 'timeline-bench', 'timeline.mjs');
const bench = await bundleProgram(join('bench', 'timeline.ts'), target, {withScanThread: true});
for (const file of files) {
  const {status, stdout, stderr} = spawnSync(node24, [bench, file], {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  say(`${file} ${stdout.trim()}`);
}
