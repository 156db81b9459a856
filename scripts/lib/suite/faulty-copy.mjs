// A copy of the working tree in a temporary folder, to put faults into.
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {node24, root, run} from '../run.mjs';
import {withFault} from './apply-fault.mjs';

/** A copy of the files that git knows or would add, with the dependencies and the built programs of the checkout. */
export class FaultyCopy {
  #folder = mkdtempSync(join(tmpdir(), 'gpu-lens-faults-'));

  /** Copies the files. */
  async fill() {
    const {stdout} = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {quiet: true});
    for (const path of stdout.split('\0').filter(Boolean)) {
      cpSync(join(root, path), join(this.#folder, path), {recursive: true, force: true});
    }
    cpSync(join(root, 'dist'), join(this.#folder, 'dist'), {recursive: true});
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'), 'junction');
  }

  /** Returns whether the tests fail with a fault in its file; restores the file afterwards. */
  async catches(fault, python) {
    const path = join(this.#folder, fault.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, withFault(source, fault));
    try {
      return !(await this.passes(fault.tests, python));
    } finally {
      writeFileSync(path, source);
    }
  }

  /** Whether tests pass in the copy as it is: files or folders, all of vitest or all of pytest. */
  async passes(tests, python) {
    const isPython = tests.every(test => test.startsWith('test/runner'));
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const [program, args] = isPython
      ? [python, ['-m', 'pytest', '-q', '-x', '-p', 'no:cacheprovider', '-m', 'not long', '-n', '2', ...tests]]
      : [node24, [vitest, 'run', '--bail=1', ...tests]];
    const {status} = await run(program, args, {cwd: this.#folder, quiet: true});
    return status === 0;
  }

  remove() {
    rmSync(this.#folder, {recursive: true, force: true});
  }
}
