import {spawnSync} from 'node:child_process';
import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, delimiter, dirname, join} from 'node:path';
import {afterAll, describe, expect, inject, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {expectWaitingByClock, glooCalls, type CallRow} from '../support/cpu-ranks.js';
import {longTests} from '../support/long-tests.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-profile-'));
afterAll(() => {
  rmSync(folder, {recursive: true, force: true});
});

writeFileSync(
  join(folder, 'train it.py'),
  `import torch
from torch.profiler import record_function
net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    with record_function("train_step"):
        net(torch.randn(32, 64)).sum().backward()
        optimizer.step()
print("done")
`,
);
writeFileSync(join(folder, 'run.sh'), 'cd "$(dirname "$0")"\npython "train it.py"\n');

function cli(args: readonly string[], searchPath = process.env['PATH']) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [join(root, 'dist', 'cli.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {...process.env, PATH: searchPath},
  });
  return {status, paths: stdout.split('\n').slice(0, -1), stdout, stderr};
}

describe('gpu-lens profile, with a real torch', () => {
  it('records what a shell script starts, and prints the path', () => {
    const searchPath = `${dirname(inject('python'))}${delimiter}${process.env['PATH'] ?? ''}`;
    const {status, paths, stderr} = cli(['profile', '--paths', '--active', '2', '--', 'sh', 'run.sh'], searchPath);
    expect({status, names: paths.map(path => basename(path))}).toEqual({
      status: 0,
      names: ['train it.pt.trace.json.gz'],
    });
    // Progress is for terminals.
    expect(stderr).toMatch(/(^|\n)done\n/);
    expect(stderr).not.toContain('writing the trace');
    const ranges = cli(['ranges', paths[0] ?? '', '--format', 'json']).stdout;
    expect(JSON.parse(ranges)).toContainEqual(
      expect.objectContaining({name: 'train_step', count: 2, file: 'train it.py', line: 6}),
    );
  });

  it('records every rank of a job', () => {
    const {status, stdout} = cli([
      'profile',
      ...['--python', inject('python'), '--launcher', 'torchrun', '--ranks', '2', '--format', 'json', '--'],
      'train it.py',
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      {rank: 0, kind: 'steps', steps: 3},
      {rank: 1, kind: 'steps', steps: 3},
    ]);
  });

  longTests(() => {
    it('tells who waited for whom of ranks that it recorded, as their common clock has it', () => {
      copyFileSync(join(root, 'test', 'fixtures', 'gloo', 'ranks.py'), join(folder, 'ranks.py'));
      const job = ['--python', inject('python'), '--launcher', 'torchrun', '--ranks', '3', '--active', '4'];
      const {status, paths} = cli(['profile', '--paths', ...job, '--', 'ranks.py']);
      expect({status, ranks: paths.length}).toEqual({status: 0, ranks: 3});
      const rows = paths.map(path => {
        const others = paths.filter(other => other !== path);
        return JSON.parse(
          cli(['stats', path, ...others, '-r', 'collective_trace', '--format', 'json']).stdout,
        ) as CallRow[];
      });
      // Four steps of three calls; whoever comes last waits for nobody.
      expect(rows.map(calls => calls.length)).toEqual([12, 12, 12]);
      for (const call of rows[0]?.keys() ?? []) {
        expect(Math.min(...rows.map(calls => Number(calls[call]?.['Wait (ns)'])))).toBe(0);
      }
      expectWaitingByClock(paths.map(glooCalls), rows);
    });
  });

  it('says how a script without steps can be recorded, and does so', () => {
    // It takes no steps, leaves the processor to others, and ends once what it was started for has happened.
    const work = `import glob, sys, time, torch
def is_done():
    if sys.argv[1] == "window":
        return glob.glob(".gpu-lens/runs/*/loop.window.pt.trace.json.gz")
    return any('"no-step"' in open(path).read() for path in glob.glob(".gpu-lens/runs/*/events.jsonl"))
end = time.monotonic() + 200
while time.monotonic() < end and not is_done():
    torch.ones(9) + 1
    time.sleep(0.01)
`;
    writeFileSync(join(folder, 'loop.py'), work);
    const python = ['--python', inject('python')];
    const {stderr} = cli(['profile', '--paths', ...python, '--step-limit', '1', '--', 'loop.py', 'no-step']);
    expect(stderr).toContain('gpu-lens: No step was found for 1 s; --step window records a window of time,');
    const options = ['--step', 'window', '--window-delay', '1', '--window', '2'];
    const {status, paths} = cli(['profile', '--paths', ...python, ...options, '--', 'loop.py', 'window']);
    expect({status, names: paths.map(path => basename(path))}).toEqual({
      status: 0,
      names: ['loop.window.pt.trace.json.gz'],
    });
  });

  it('keeps what a script recorded before it failed', () => {
    const script = readFileSync(join(folder, 'train it.py'), 'utf8');
    writeFileSync(join(folder, 'fails.py'), script.replace('print(', 'raise ValueError("no more")\nprint('));
    const {status, paths, stderr} = cli(['profile', '--paths', '--python', inject('python'), '--', 'fails.py']);
    expect({status, count: paths.length}).toEqual({status: 1, count: 1});
    expect(stderr).toMatch(
      /\ngpu-lens: fails\.py failed with exit code 1: ValueError: no more\. What was recorded before is shown\.\n/,
    );
  });
});
