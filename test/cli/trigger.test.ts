import {spawn, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {expectSchema} from '../support/json-schema.js';
import {project, temporaryFolder} from '../support/project.js';
import {patience} from '../support/patience.js';

const cli = join(project, 'dist', 'cli.cjs');
const folder = temporaryFolder();
const env = {...process.env, HOME: folder, USERPROFILE: folder};
const torchPython = process.env['GPU_LENS_PYTHON'];

function trigger(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'trigger', ...args], {encoding: 'utf8', env});
  return {status, stdout, stderr};
}

it.each([
  [[], 'trigger needs one process or job; gpu-lens trigger --list shows them.'],
  [['1', '--steps', '0'], '--steps takes a whole number from 1 on; not "0".'],
  [['1', '--ranks', 'all'], '--ranks takes ranks, as in 0,3; not "all".'],
  [['1', '--step', 'window'], '--step takes auto, train, infer or FILE:LINE here; not "window".'],
  [['1', '--wait', 'long'], '--wait takes a number of seconds; not "long".'],
])('gpu-lens trigger %j is wrong usage', (args, sentence) => {
  expect(trigger(...args)).toEqual({
    status: 2,
    stdout: '',
    stderr: `gpu-lens: ${sentence} See gpu-lens trigger --help.\n`,
  });
});

it('gpu-lens trigger says that no such program waits', () => {
  expect(trigger('train.py')).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'gpu-lens: No program that was started with gpu-lens profile --idle is "train.py"; gpu-lens trigger --list shows them.\n',
  });
});

it('gpu-lens profile --idle runs a program that triggers could not find, and says so', () => {
  const home = temporaryFolder();
  // A full disk, or a home that is only read, takes no file either.
  writeFileSync(join(home, '.gpu-lens'), '');
  const command = ['sh', '-c', 'echo finished; exit 3'];
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [cli, 'profile', '--idle', '--name', 'job', '--', ...command],
    {encoding: 'utf8', cwd: folder, env: {...env, HOME: home, USERPROFILE: home}},
  );
  expect({status, stdout}).toEqual({status: 3, stdout: 'finished\n'});
  const notes = join(home, '.gpu-lens', 'idle');
  expect(stderr).toContain(
    `gpu-lens: Triggers could not find the run: ${notes} takes no file. job runs without being recorded.\n`,
  );
});

const training = `
import os, time, torch
net = torch.nn.Linear(8, 8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
while not os.path.exists("end"):
    optimizer.zero_grad(); net(torch.randn(4, 8)).sum().backward(); optimizer.step(); time.sleep(0.005)
print("finished"); raise SystemExit(3)
`;

if (torchPython === undefined) console.warn('Skipped: a trigger needs a Python with torch (set GPU_LENS_PYTHON).');

it.skipIf(torchPython === undefined)(
  'gpu-lens trigger records a program that runs, twice; the program goes on, and ends as ever',
  async () => {
    writeFileSync(join(folder, 'train.py'), training);
    const args = [cli, 'profile', '--idle', '--python', torchPython ?? '', '--', 'train.py'];
    const run = spawn(process.execPath, args, {cwd: folder, env});
    const said = {stdout: '', stderr: ''};
    for (const stream of ['stdout', 'stderr'] as const) {
      run[stream].on('data', (data: Buffer) => {
        said[stream] += data.toString();
      });
    }
    const ended = new Promise<number | null>(resolve => run.on('close', resolve));
    const waits = `gpu-lens: train.py waits for a trigger: gpu-lens trigger ${String(run.pid)} --steps 3\n`;
    await vi.waitFor(() => {
      expect(said.stderr).toContain(waits);
    }, patience);
    const list = trigger('--list', '--format', 'json').stdout;
    expectSchema('trigger', list);
    const listed = JSON.parse(list) as object[];
    expect(listed).toMatchObject([{pid: run.pid, name: 'train.py'}]);
    // Torch may not have been imported yet: the request waits for that, too.
    expect(trigger(String(run.pid), '--steps', '2', '--wait', '300').status).toBe(0);
    const {status, stdout, stderr} = trigger('train', '--steps', '4', '--paths');
    expect({status, name: basename(stdout.trim())}).toEqual({
      status: 0,
      name: expect.stringMatching(/^train\.step\d+\.pt\.trace\.json\.gz$/) as string,
    });
    expect(stderr).toMatch(/Recorded 4 training steps of Linear, train\.py:5, from step [\d,]+ on\./);
    writeFileSync(join(folder, 'end'), '');
    expect(await ended).toBe(3);
    expect(said.stdout).toBe('finished\n');
    expect(trigger('--list', '--format', 'json').stdout).toBe('[]\n');
  },
);
