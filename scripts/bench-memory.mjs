// npm run bench:memory: the time and memory to open and replay a memory snapshot of 1 GB, in a separate process; one
// line of JSON.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {node24, out, say} from './lib/run.mjs';

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
const folder = join(out, 'bench');
mkdirSync(folder, {recursive: true});
const bench = await bundleProgram(join('bench', 'memory-snapshot.ts'), join(folder, 'memory-snapshot.mjs'));
// Writing the file must not count towards the peak.
for (const mode of ['write', 'open', 'open', 'open']) {
  const {status, stdout, stderr} = spawnSync(node24, [bench, folder, '1000', mode], {encoding: 'utf8'});
  if (status !== 0) throw new Error(stderr);
  if (mode === 'open') say(stdout.trim());
}
rmSync(join(folder, 'memory-snapshot.pickle'));
