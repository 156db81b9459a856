// The inputs of the benchmarks: made once from a real trace, by the scripts in ../shared/bench (or GPU_LENS_BENCH), into
// out/bench.
import {spawnSync} from 'node:child_process';
import {createReadStream, createWriteStream, existsSync, mkdirSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {out, root, say} from './run.mjs';

/** The script that makes an input, how often the trace is repeated in it, and the ending of its name. */
const inputs = {
  small: ['scale_kineto.py', 7, 'json'],
  middle: ['scale_kineto.py', 33, 'json'],
  large: ['scale_kineto.py', 80, 'json'],
  nsys: ['kineto_to_nsys.py', 230, 'sqlite'],
  '50-thousand': ['scale_kineto.py', 1, 'json'],
  '500-thousand': ['scale_kineto.py', 11, 'json'],
  '5-million': ['scale_kineto.py', 110, 'json'],
};

/** Why inputs cannot be made here, one sentence; null where they can. */
export function whyNoInputs() {
  const {scripts, source} = places();
  if (!existsSync(scripts) || !existsSync(source)) {
    return `The inputs are made from ${source} by ${scripts}: name files of your own instead.`;
  }
  return spawnSync('python3', ['--version']).status === 0
    ? null
    : 'The inputs are made by python3, which is not there.';
}

/** The paths of inputs of these names; those that are not there yet are made. */
export function benchInputs(names) {
  mkdirSync(join(out, 'bench'), {recursive: true});
  return names.map(name => {
    const [script, copies, ending] = inputs[name] ?? [];
    if (!script) throw new Error(`There is no input ${name}: ${Object.keys(inputs).join(', ')}.`);
    const path = join(out, 'bench', `${name}.${ending}`);
    if (!existsSync(path)) make(path, script, copies);
    return path;
  });
}

/** The path of the same file as gzip; made where it is not there yet. */
export async function gzipped(path) {
  const compressed = `${path}.gz`;
  if (existsSync(compressed)) return compressed;
  say(`Making ${compressed} …`);
  const partial = `${compressed}.partial`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial));
  renameSync(partial, compressed);
  return compressed;
}

function make(path, script, copies) {
  const reason = whyNoInputs();
  if (reason !== null) throw new Error(reason);
  say(`Making ${path} …`);
  const {scripts, source} = places();
  const partial = `${path}.partial`;
  const args = [join(scripts, script), source, partial, '--copies', String(copies)];
  const made = spawnSync('python3', args, {encoding: 'utf8'});
  if (made.status !== 0) throw new Error(made.stderr);
  renameSync(partial, path);
}

function places() {
  const data = process.env['GPU_LENS_DATA'] ?? join(root, '..', 'shared', 'data');
  return {
    scripts: process.env['GPU_LENS_BENCH'] ?? join(root, '..', 'shared', 'bench'),
    source: join(data, 'kineto', 'ns-resolution-rank0.json.gz'),
  };
}
