import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {describe, expect, it} from 'vitest';
import {cli, runIn} from '../support/command-line.js';
import {ProofCase, python} from '../support/proof-case.js';

/** Uses a case, and removes its repository. */
async function using(name: string, use: (proofCase: ProofCase) => unknown): Promise<void> {
  const proofCase = new ProofCase(name);
  try {
    await use(proofCase);
  } finally {
    proofCase.remove();
  }
}

const longMs = 1_000_000;
const hasTorch = process.env['GPU_LENS_PYTHON'] !== undefined;
if (!hasTorch) console.warn('Skipped: compiled code needs a Python with torch (set GPU_LENS_PYTHON).');

/** The saved second does not depend on the machine's load: its change is told from noise by the first few pairs. */
const slow = 'import time\n\ntime.sleep(1)\ntotal = 0.0\nfor number in range(300_000):\n    total += number * 0.1\n';

describe('gpu-lens prove', () => {
  it('proves a fix, and leaves no worktree', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', proofCase => {
      const {status, proof, stderr} = proofCase.prove(['--budget', '600']);
      expect({status, verdict: proof?.verdict, stderr}).toEqual({status: 0, verdict: 'proven', stderr: ''});
      expect(Object.keys(proof ?? {})).toEqual(['verdict', 'deltaPercent', 'intervalPercent', 'reasons']);
      const [low, high] = proof?.intervalPercent ?? [];
      expect(low).toBeLessThanOrEqual(proof?.deltaPercent ?? NaN);
      expect(high).toBeGreaterThanOrEqual(proof?.deltaPercent ?? NaN);
      expect(high).toBeLessThan(-0.5);
      expect(proofCase.worktrees()).toHaveLength(1);
    }),
  );

  it('says that the same change backwards is worse', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', proofCase => {
      const {status, proof} = proofCase.prove(['--budget', '600'], ['HEAD', 'HEAD~1']);
      expect({status, verdict: proof?.verdict}).toEqual({status: 3, verdict: 'worse'});
    }),
  );

  it('finds that other results were printed, and times nothing', {timeout: longMs}, () =>
    using('traps/other_seed_ends_early', proofCase => {
      const {status, proof} = proofCase.prove();
      expect({status, proof}).toEqual({
        status: 3,
        proof: {
          verdict: 'not the same work',
          deltaPercent: null,
          intervalPercent: null,
          reasons: [{code: 'outputs', text: 'They printed different results.'}],
        },
      });
    }),
  );

  it('refuses a result that a run before has left, and times nothing', {timeout: longMs}, () =>
    using('traps/cached_result', proofCase => {
      const {status, proof} = proofCase.prove();
      expect({status, verdict: proof?.verdict}).toEqual({status: 4, verdict: 'not proven'});
      expect(proof?.reasons[0]).toEqual({
        code: 'cached',
        text: 'Run again, CHANGED reads what its run before has left: result.txt. A first run gains nothing by that.',
      });
      expect(proof?.deltaPercent).toBeNull();
    }),
  );

  it.each([
    ['the same within the tolerance', '', 'sum(range(300_000)) * 0.1', 'proven'],
    ['farther apart', '', 'sum(range(300_000)) * 0.11', 'not the same work'],
    ['farther apart, beside the script', 'src/', 'sum(range(300_000)) * 0.11', 'not the same work'],
  ])('asks the function of BASE what must be the same: %s', {timeout: longMs}, (_, folder, total, verdict) =>
    using('honest/same_seed_same_end', proofCase => {
      proofCase.write(`${folder}train.py`, slow);
      proofCase.write(`${folder}check.py`, 'import __main__\n\n\ndef results():\n    return __main__.total\n');
      proofCase.commit('with a check');
      proofCase.write(`${folder}train.py`, `total = ${total}\n`);
      // A change may not alter what it is judged by.
      proofCase.write(`${folder}check.py`, 'def results():\n    return sum(range(300_000)) * 0.1\n');
      proofCase.commit('changed, with a check of its own');
      const {proof} = proofCase.prove(
        ['--same', 'check:results', '--budget', '600'],
        ['HEAD~1', 'HEAD'],
        `${folder}train.py`,
      );
      expect([proof?.verdict, proof?.reasons[0]?.code]).toEqual([verdict, 'outputs']);
    }),
  );

  it('doubts a change that brings a function in the place of an installed one', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', proofCase => {
      proofCase.write('src/train.py', slow);
      proofCase.commit('without a check');
      proofCase.write('src/train.py', 'total = 7\n');
      proofCase.write('src/calendar.py', 'def firstweekday():\n    return 0\n');
      proofCase.commit('with a check, in the place of an installed module');
      const options = ['--same', 'calendar:firstweekday', '--budget', '600'];
      const {proof} = proofCase.prove(options, ['HEAD~1', 'HEAD'], 'src/train.py');
      expect([proof?.verdict, proof?.reasons[0]?.code]).toEqual(['not proven', 'nothing-to-compare']);
    }),
  );

  it('lets the function of BASE read a file beside it', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', proofCase => {
      const check = [
        'import json, pathlib, __main__\n\n',
        'def results():',
        '    part = json.loads(pathlib.Path(__file__).with_name("part.json").read_text())',
        '    return __main__.total * part\n',
      ];
      proofCase.write('train.py', slow);
      proofCase.write('check.py', check.join('\n'));
      proofCase.write('part.json', '0.5\n');
      proofCase.commit('with a check and its data');
      proofCase.write('train.py', 'total = sum(range(300_000)) * 0.1\n');
      proofCase.commit('changed');
      const {proof} = proofCase.prove(['--same', 'check:results', '--budget', '600']);
      expect({verdict: proof?.verdict, reasons: proof?.reasons}).toEqual({verdict: 'proven', reasons: proof?.reasons});
    }),
  );

  it.skipIf(!hasTorch).each([
    ['other results', 'lambda *args: tuple(one * 0 for one in graph(*args))', '', 'differ.'],
    ['the same results, from one graph', 'graph.forward', ', fullgraph=True', 'are the same, bit for bit.'],
  ])('compares the results of compiled code: %s', {timeout: longMs}, (_, compiled, options, verdict) =>
    using('honest/same_seed_same_end', proofCase => {
      const script = (decorator: string, end: string) => `
import torch
torch.manual_seed(0)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def backend(graph, inputs):
    return ${compiled}
${decorator}
def loss_of(x):
    return model(x).square().mean()
for _ in range(4):
    optimizer.zero_grad()
    loss_of(torch.randn(8, 4)).backward()
    optimizer.step()
${end}
`;
      proofCase.write('train.py', script('', ''));
      proofCase.commit('uncompiled');
      // One more step changes nothing, but ends the proof before anything is timed.
      const end = 'optimizer.param_groups[0]["lr"] = 0.0\noptimizer.step()';
      proofCase.write('train.py', script(`@torch.compile(backend=backend${options})`, end));
      proofCase.commit('compiled');
      const {proof} = proofCase.prove(['--budget', '900']);
      expect(proof?.reasons).toContainEqual({code: 'outputs', text: `The trained parameters ${verdict}`});
    }),
  );

  it('keeps a labelled proof among the runs', {timeout: longMs}, () =>
    using('traps/other_seed_ends_early', proofCase => {
      proofCase.prove(['--label', 'agent: test']);
      const runs = JSON.parse(runIn(proofCase.folder, 'runs', '--format', 'json').stdout) as unknown[];
      expect(runs).toMatchObject([
        {
          ...{name: 'prove', label: 'agent: test: not the same work', status: 0, profiles: []},
          command: ['gpu-lens', 'prove', 'HEAD~1', 'HEAD', '--', python, 'train.py'],
        },
      ]);
    }),
  );

  it('ends with the budget, and says so', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', proofCase => {
      const {status, proof} = proofCase.prove(['--budget', '0.2']);
      expect({status, verdict: proof?.verdict}).toEqual({status: 4, verdict: 'not proven'});
      expect(proof?.reasons.map(({code}) => code)).toContain('budget');
      expect(proofCase.worktrees()).toHaveLength(1);
    }),
  );

  it('removes the worktrees and the run on Ctrl+C', {timeout: longMs}, () =>
    using('honest/same_seed_same_end', async proofCase => {
      const command = ['-c', 'import sys, time; print("running", file=sys.stderr); time.sleep(600)'];
      const args = [cli, 'prove', 'HEAD', 'HEAD', '--', python, ...command];
      const child = spawn(process.execPath, args, {cwd: proofCase.folder, stdio: ['ignore', 'ignore', 'pipe']});
      const closed = once(child, 'close');
      while (proofCase.worktrees().length < 3)
        await once(process, 'never', {signal: AbortSignal.timeout(50)}).catch(() => null);
      child.kill('SIGINT');
      const [status] = (await closed) as [number];
      expect(status).toBe(1);
      expect(proofCase.worktrees()).toHaveLength(1);
      const left = readdirSync(tmpdir()).filter(name => name.startsWith(`gpu-lens-prove-${String(child.pid)}-`));
      expect(left).toEqual([]);
    }),
  );

  it.each([
    [['prove', 'HEAD'], 2, 'prove needs two commits and a command'],
    [['prove', 'HEAD', 'HEAD', '--same', 'x', '--', 'true'], 2, '--same takes module:function'],
    [['prove', 'HEAD', 'HEAD', '--budget', '-1', '--', 'true'], 2, '--budget takes a number above 0'],
    [['prove', 'HEAD', 'nowhere', '--', 'true'], 1, 'git knows no commit "nowhere" here.'],
    [['prove', 'HEAD', 'HEAD', '--', 'false'], 1, 'The command failed at BASE with status 1.'],
    [['prove', 'HEAD', 'HEAD', '--budget', '100.0005', '--', 'false'], 1, 'The command failed at BASE with status 1.'],
  ])('%j ends with %i', {timeout: longMs}, (args, expected, sentence) =>
    using('honest/same_seed_same_end', proofCase => {
      const {status, stdout, stderr} = runIn(proofCase.folder, ...args);
      expect({status, stdout}).toEqual({status: expected, stdout: ''});
      expect(stderr).toContain(sentence);
    }),
  );

  it('says that a folder is in no repository', () => {
    const {status, stderr} = runIn('/', 'prove', 'HEAD', 'HEAD', '--', 'true');
    expect({status, stderr}).toEqual({
      status: 1,
      stderr: 'gpu-lens: / is in no git repository, or git was not found.\n',
    });
  });
});
