import {execFileSync} from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {project} from './project.js';
import {runIn, type Ended} from './command-line.js';
import type {Proof} from '../../src/core/prove/proof.js';

const cases = join(project, 'test', 'agents');

/** The Python whose torch the cases use. */
export const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';

/** Returns the names of the folders of one kind of cases, each with `before.py` and `after.py`. */
export function proofCases(kind: 'slow' | 'traps' | 'honest'): readonly string[] {
  return readdirSync(join(cases, kind)).sort();
}

/** A repository in a temporary folder whose last two commits are the two states of a case. */
export class ProofCase {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gpu-lens-case-')));

  /** @param states committed one after the other */
  constructor(
    readonly name: string,
    states: readonly ('before' | 'after')[] = ['before', 'after'],
  ) {
    this.git('init', '--quiet');
    const source = join(cases, name);
    for (const state of states) {
      for (const file of readdirSync(source)) {
        const [stem] = file.split('.');
        if (stem === state) copyFileSync(join(source, file), join(this.folder, 'train.py'));
        else if (stem !== 'before' && stem !== 'after') copyFileSync(join(source, file), join(this.folder, file));
      }
      this.commit(state);
    }
  }

  /** Whether a function returns what must be the same: check:results. */
  get hasCheck(): boolean {
    return existsSync(join(this.folder, 'check.py'));
  }

  /** The script as it is now. */
  script(): string {
    return readFileSync(join(this.folder, 'train.py'), 'utf8');
  }

  /** Writes a file of the case. */
  write(file: string, text: string): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, text);
  }

  /** Commits everything except recordings. */
  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  /** Proves the second commit against the first by the built command line. */
  prove(
    options: readonly string[] = [],
    [base, changed] = ['HEAD~1', 'HEAD'],
    script = 'train.py',
  ): Ended & {readonly proof: Proof | null} {
    const args = ['prove', base, changed, '--format', 'json', ...options, '--', python, script];
    const ended = runIn(this.folder, ...args);
    return {...ended, proof: ended.stdout === '' ? null : (JSON.parse(ended.stdout) as Proof)};
  }

  /** Returns the output of `git worktree list`: one line for each remaining worktree. */
  worktrees(): readonly string[] {
    return this.git('worktree', 'list').trim().split('\n');
  }

  remove(): void {
    rmSync(this.folder, {recursive: true, force: true});
  }

  private git(...args: string[]): string {
    const names = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...names, ...args], {cwd: this.folder, encoding: 'utf8'});
  }
}
