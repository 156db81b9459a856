// Packs the Python package: frames of profiles, the recorder's Python API, and the notebook magic.
import {cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {must, out, root, run} from './run.mjs';

const python = process.platform === 'win32' ? 'python' : 'python3';

/** Returns a sentence if there is no Python with pip to build the wheel with, else null. */
export async function whyNoPip() {
  const {status} = await run(python, ['-m', 'pip', '--version'], {quiet: true}).catch(() => ({status: 1}));
  const source =
    process.platform === 'linux'
      ? 'with "sudo apt-get install python3-pip" (Debian, Ubuntu)'
      : 'from https://www.python.org';
  return status === 0
    ? null
    : `The wheel needs "${python}" with pip on PATH: install it ${source}, or leave "wheel" out.`;
}

/** Builds the wheel with the pip of the available Python; returns its path. */
export async function packagePython() {
  mkdirSync(out, {recursive: true});
  const stage = mkdtempSync(join(out, 'gpu-lens-wheel-'));
  try {
    // pip leaves a build folder in the sources.
    const source = join(stage, 'runner');
    cpSync(join(root, 'src', 'runner'), source, {recursive: true, filter: path => basename(path) !== '__pycache__'});
    await must(python, ['-m', 'pip', 'wheel', '--no-deps', '--wheel-dir', stage, source], {quiet: true});
    const wheel = readdirSync(stage).find(name => name.endsWith('.whl'));
    renameSync(join(stage, wheel), join(out, wheel));
    return join(out, wheel);
  } finally {
    rmSync(stage, {recursive: true, force: true});
  }
}
