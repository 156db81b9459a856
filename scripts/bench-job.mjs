// npm run bench:job: makes 128 ranks of 50 MB (unpacked) from one of the project's own recordings, with known clocks, a
// rank that is late in each step and one that is missing; summarises them, and reads the summaries as one job. One line
// of JSON each.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, root, say} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const folder = join(out, 'bench', 'job');
mkdirSync(folder, {recursive: true});
const bench = await bundleProgram(join('bench', 'job.ts'), join(folder, 'job.mjs'), {withThreads: true});
// Each step has its own process, so that its memory does not count for the next.
for (const step of ['write', 'summarize', 'job']) {
  const {status, stdout, stderr} = spawnSync(node24, [bench, root, folder, step], {encoding: 'utf8'});
  if (status !== 0) throw new Error(stderr);
  say(stdout.trim());
}
rmSync(folder, {recursive: true});
