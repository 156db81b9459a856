// npm run bench:source: the cost of reading tags in source files, as one line of JSON. The files are generated from the
// sample's model.
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ensureDependencies} from './lib/dependencies.mjs';
import {must, node24, out, root, say} from './lib/run.mjs';

/** A workspace of this many files, and a file of this many tags, with ten lines each. */
const fileCount = 2000;
const tagCount = 500;
const steps = 20;

await ensureDependencies();
// Loaded only now, because esbuild is one of the dependencies installed above.
const {bundleProgram} = await import('./lib/bundle-program.mjs');
await must(node24, ['esbuild.mjs'], {quiet: true});
const folder = join(out, 'bench', 'source');
mkdirSync(join(folder, 'workspace'), {recursive: true});
const bench = await bundleProgram(join('bench', 'source.ts'), join(folder, 'source.mjs'));
const workers = ['sources.cjs', 'engine.cjs'].map(name => join(root, 'dist', name));
const {status, stdout, stderr} = spawnSync(node24, [bench, ...workers, workspace(), longFile(), profile()], {
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
say(stdout.trim());

/** Writes the sample's model twice into each file, with other names; returns their paths. */
function workspace() {
  const model = readFileSync(join(root, 'media', 'sample', 'model.py'), 'utf8');
  const paths = Array.from({length: fileCount}, (_, at) => {
    const text = `${model}\n\n${model}`.replace(/record_function\(f?"/g, found => `${found}${at} `);
    const path = join(folder, 'workspace', `model_${at}.py`);
    writeFileSync(path, text);
    return path;
  });
  const list = join(folder, 'workspace.json');
  writeFileSync(list, JSON.stringify(paths));
  return list;
}

function longFile() {
  const functions = Array.from(
    {length: tagCount},
    (_, at) => `def part_${at}(x, y):
    with record_function("part_${at}"):
        z = x @ y + ${at}
        for k in range(10):
            z = torch.relu(z, inplace=True)  # in place
        if z.sum() > 3:
            return combined(z, other(y, [1, 2, 3]))
    return {"a": z}

`,
  );
  const path = join(folder, 'long.py');
  writeFileSync(path, `import torch\nfrom torch.profiler import record_function\n\n${functions.join('\n')}`);
  return path;
}

/** Writes a profile of steps in which each tag of the file launches four kernels. */
function profile() {
  const events = [];
  const add = (cat, name, ts, dur, args = {}, thread = 1) =>
    events.push({ph: 'X', cat, name, pid: 1, tid: thread, ts, dur, args});
  let correlation = 0;
  for (let step = 0; step < steps; step++) {
    const from = step * tagCount * 100;
    add('user_annotation', `ProfilerStep#${step}`, from, tagCount * 100);
    for (let tag = 0; tag < tagCount; tag++) {
      const at = from + tag * 100;
      add('user_annotation', `part_${tag}`, at, 90);
      for (let launch = 0; launch < 4; launch++) {
        add('cuda_runtime', 'cudaLaunchKernel', at + 20 * launch, 5, {correlation: ++correlation});
        add('kernel', `kernel_${launch}`, at + 20 * launch + 8, 9, {device: 0, stream: 7, correlation}, 7);
      }
    }
  }
  const path = join(folder, 'profile.json');
  writeFileSync(path, JSON.stringify({schemaVersion: 1, traceEvents: events}));
  return path;
}
