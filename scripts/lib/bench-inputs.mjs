// The inputs of the benchmarks, made once, into out/bench. If there is a real trace and the scripts in ../shared/bench
// (or GPU_LENS_BENCH), the inputs come from these, as in the measurements of other programs; else from the project's
// own recording.
import {spawnSync} from 'node:child_process';
import {createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {writeChanged} from './bench/change-kernels.mjs';
import {out, root, say} from './run.mjs';

/**
 * For each input: the script that makes it from the real trace and its repetitions, the ending of its name, and the
 * repetitions of the project's own recording for a file of about the same size.
 */
const inputs = {
  small: ['scale_kineto.py', 7, 'json', 23],
  middle: ['scale_kineto.py', 33, 'json', 109],
  large: ['scale_kineto.py', 80, 'json', 265],
  nsys: ['kineto_to_nsys.py', 230, 'sqlite', 865],
  '50-thousand': ['scale_kineto.py', 1, 'json', 4],
  '500-thousand': ['scale_kineto.py', 11, 'json', 40],
  '5-million': ['scale_kineto.py', 110, 'json', 400],
};

/** Returns why no inputs can be made from a real trace, in one sentence; null if they can. */
export function whyNoRealInputs() {
  const {scripts, source} = places();
  if (!existsSync(scripts) || !existsSync(source)) {
    return `There is no real trace to make large files of: ${source}, and the scripts in ${scripts}.`;
  }
  return spawnSync('python3', ['--version']).status === 0
    ? null
    : 'Large files of a real trace are made by python3, which is not there.';
}

/** Returns the paths of the inputs with these names; makes missing ones. */
export async function benchInputs(names) {
  mkdirSync(join(out, 'bench'), {recursive: true});
  const isReal = whyNoRealInputs() === null;
  const paths = [];
  for (const name of names) {
    const [script, copies, ending, ownCopies] = inputs[name] ?? [];
    if (!script) throw new Error(`There is no input ${name}: ${Object.keys(inputs).join(', ')}.`);
    const path = join(out, 'bench', `${isReal ? '' : 'own-'}${name}.${ending}`);
    if (!existsSync(path)) await (isReal ? make(path, script, copies) : makeOwn(path, ending, ownCopies));
    paths.push(path);
  }
  return paths;
}

/** Makes an input from the project's own recording. */
async function makeOwn(path, ending, copies) {
  say(`Making ${path} …`);
  // Loaded only now: better-sqlite3 is one of the dependencies, which may have just been installed.
  const {recordedStep} = await import('./bench/recorded-step.mjs');
  const partial = `${path}.partial`;
  rmSync(partial, {force: true});
  if (ending === 'sqlite') (await import('./bench/repeat-nsys.mjs')).writeNsys(recordedStep(), partial, copies);
  else await (await import('./bench/repeat-kineto.mjs')).writeKineto(recordedStep(), partial, copies);
  renameSync(partial, path);
}

/** Returns the path of a second run of the same program, to compare with; makes it if it is missing. */
export async function changed(path) {
  const other = path.replace(/\.json$/, '-changed.json');
  if (existsSync(other)) return other;
  say(`Making ${other} …`);
  const partial = `${other}.partial`;
  await writeChanged(path, partial);
  renameSync(partial, other);
  return other;
}

/** Returns the path of the same file as gzip; makes it if it is missing. */
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
