import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterAll, describe, expect, inject, it, vi} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {isLongSuite} from '../support/long-tests.js';
import {patience} from '../support/patience.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens bad é '));
afterAll(() => {
  rmSync(folder, {recursive: true, force: true});
});

const training = `import os, signal, sys, time, torch
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def train(steps):
    for step in range(steps):
        optimizer.zero_grad(); net(torch.randn(2, 8)).sum().backward(); optimizer.step()
`;
const shown = ' What was recorded before is shown.';

/** What a script does, the sentence that tells of it, and the profiles that are kept. */
const cases: readonly (readonly [string, string, RegExp | null, readonly string[]])[] = [
  ['ends at once', 'train(9); os._exit(3)', /^bad\.py failed with exit code 3\.$/, ['bad']],
  [
    'is killed when it is recorded',
    'train(9); os.kill(os.getpid(), 9)',
    /^bad\.py was ended by the signal SIGKILL\.$/,
    ['bad'],
  ],
  [
    'is killed while it is recorded',
    'train(2); os.kill(os.getpid(), 9)',
    /^bad\.py was ended by the signal SIGKILL\. 1 process of bad\.py took steps and ended without a profile of them\.$/,
    [],
  ],
  ['crashes', 'train(9); os.abort()', /^bad\.py was ended by the signal SIGABRT\.$/, ['bad']],
  [
    'wants more memory than there is',
    'train(2); torch.empty(1 << 60)',
    /^bad\.py failed with exit code 1: RuntimeError: .*can't allocate memory.*\.$/,
    ['bad'],
  ],
  [
    'profiles itself',
    'mine = torch.profiler.profile()\nwith mine: train(2)\nmine.export_chrome_trace("mine.json")',
    null,
    ['mine.json'],
  ],
  [
    'has no torch',
    'sys.path[:] = [path for path in sys.path if "site-packages" not in path]; del sys.modules["torch"]; import torch',
    /^bad\.py failed with exit code 1: ModuleNotFoundError: No module named 'torch'\.$/,
    [],
  ],
  [
    'forks and dies',
    `parent = os.getpid()
steps, stepped = os.pipe()
if os.fork() == 0:
    train(1); os.write(stepped, b"1")
    while os.getppid() == parent: time.sleep(0.01)
    train(8); os._exit(0)
os.close(stepped)
os.read(steps, 1)
raise ValueError("gone")`,
    /^bad\.py failed with exit code 1: ValueError: gone\.$/,
    ['bad'],
  ],
];

/** One that is killed, one that raises nothing of its own, and one that leaves a child. */
const everyday = ['is killed while it is recorded', 'has no torch', 'forks and dies'];

describe('gpu-lens profile of a script that', () => {
  it.each(cases.filter(([what]) => isLongSuite || everyday.includes(what)))(
    '%s says so in a sentence, keeps what was recorded, and leaves nothing running',
    async (what, source, sentence, kept) => {
      const script = join(folder, 'bad.py');
      writeFileSync(script, `${training}${source}\n`);
      const {stdout, stderr} = spawnSync(
        process.execPath,
        [
          join(root, 'dist', 'cli.cjs'),
          ...[
            'profile',
            '--paths',
            '--python',
            inject('python'),
            '--warmup',
            '1',
            '--prewarm',
            '0',
            '--active',
            '2',
            '--',
            script,
          ],
        ],
        {cwd: folder, encoding: 'utf8', timeout: 500_000},
      );
      const names = stdout
        .split('\n')
        .slice(0, -1)
        .map(path => basename(path, '.pt.trace.json.gz'));
      expect(names).toEqual(kept);
      const said = stderr.split('\n').flatMap(line => (line.startsWith('gpu-lens: ') ? [line.slice(10)] : []));
      const withoutShown = said.map(line => line.replace(shown, ''));
      // A line each.
      expect(withoutShown.join(' ')).toEqual(sentence === null ? '' : expect.stringMatching(sentence));
      // What is shown is told of a run that failed, and of no other.
      expect(said.some(line => line.includes(shown))).toBe(sentence !== null && kept.length > 0);
      // The orphaned child may still be exiting.
      if (what === 'forks and dies') await vi.waitUntil(() => processesOf(script).length === 0, patience);
      expect(processesOf(script)).toEqual([]);
    },
  );
});

/** The command lines that hold a path. */
function processesOf(path: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n');
  return lines.filter(line => line.includes(path));
}
