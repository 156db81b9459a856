import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {describe, expect, it} from 'vitest';
import {cli, runIn} from '../support/command-line.js';
import {ProofCase} from '../support/proof-case.js';

/** Uses a case, and removes its repository. */
async function using(name: string, use: (proofCase: ProofCase) => unknown): Promise<void> {
  const proofCase = new ProofCase(name);
  try {
    await use(proofCase);
  } finally {
    proofCase.remove();
  }
}

const longMs = 300_000;

describe('gpu-lens prove', () => {
  it('proves a fix, and leaves no worktree', {timeout: longMs}, () =>
    using('slow/sleeping_poll', proofCase => {
      const {status, proof, stderr} = proofCase.prove(['--budget', '200']);
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
    using('slow/sleeping_poll', proofCase => {
      const {status, proof} = proofCase.prove(['--budget', '200'], ['HEAD', 'HEAD~1']);
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

  it('ends with the budget, and says so', {timeout: longMs}, () =>
    using('slow/sleeping_poll', proofCase => {
      const {status, proof} = proofCase.prove(['--budget', '0.2']);
      expect({status, verdict: proof?.verdict}).toEqual({status: 4, verdict: 'not proven'});
      expect(proof?.reasons.map(({code}) => code)).toContain('budget');
      expect(proofCase.worktrees()).toHaveLength(1);
    }),
  );

  it('removes the worktrees and the run on Ctrl+C', {timeout: longMs}, () =>
    using('slow/sleeping_poll', async proofCase => {
      const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
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
    [['prove', 'HEAD', 'HEAD', '--budget', '-1', '--', 'true'], 2, 'argument'],
    [['prove', 'HEAD', 'nowhere', '--', 'true'], 1, 'git knows no commit "nowhere" here.'],
    [['prove', 'HEAD', 'HEAD', '--', 'false'], 1, 'The command failed at BASE with status 1.'],
  ])('%j ends with %i', {timeout: longMs}, (args, expected, sentence) =>
    using('slow/sleeping_poll', proofCase => {
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
