// A Python with torch for the runner's tests.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {must, once, out, run, say} from './run.mjs';

const packages = ['torch==2.13.0', 'numpy', 'pytest==9.1.1', 'pytest-xdist==3.8.0', 'ruff==0.16.9'];
const home = join(out, 'venv');

/**
 * The path of a Python that has torch, pytest with pytest-xdist, and ruff: that of GPU_LENS_PYTHON, or one in out/venv.
 */
export async function ensurePython() {
  if (process.env.GPU_LENS_PYTHON) return process.env.GPU_LENS_PYTHON;
  const python = process.platform === 'win32' ? join(home, 'Scripts', 'python.exe') : join(home, 'bin', 'python');
  await once(join(home, '.installed'), packages.join(), async () => {
    say('Making a Python environment with torch …');
    if (!existsSync(python)) await makeVenv();
    await must(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages], {quiet: true});
  });
  return python;
}

async function makeVenv() {
  for (const base of ['python3', 'python']) {
    const made = await run(base, ['-m', 'venv', home], {quiet: true}).catch(() => null);
    if (made?.status === 0) return;
  }
  throw new Error(
    'The runner’s tests need Python 3.9 or later with venv: "sudo apt-get install python3-venv" (Debian).',
  );
}
