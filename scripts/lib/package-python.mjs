// Packs the Python package: frames of profiles, the recorder's Python API, and the notebook magic.
import {cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {must, out, root} from './run.mjs';

/** Builds the wheel with the pip of the available Python; returns its path. */
export async function packagePython() {
  mkdirSync(out, {recursive: true});
  const stage = mkdtempSync(join(out, 'gpu-lens-wheel-'));
  try {
    // pip leaves a build folder in the sources.
    const source = join(stage, 'runner');
    cpSync(join(root, 'src', 'runner'), source, {recursive: true, filter: path => basename(path) !== '__pycache__'});
    const python = process.platform === 'win32' ? 'python' : 'python3';
    await must(python, ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', stage, source], {quiet: true});
    const wheel = readdirSync(stage).find(name => name.endsWith('.whl'));
    renameSync(join(stage, wheel), join(out, wheel));
    return join(out, wheel);
  } finally {
    rmSync(stage, {recursive: true, force: true});
  }
}
