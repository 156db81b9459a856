import {execFileSync, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';

const cli = join(project, 'dist', 'cli.cjs');
const folder = temporaryFolder();

function profile(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'profile', ...args], {
    encoding: 'utf8',
    cwd: folder,
  });
  return {status, stdout, stderr};
}

it.each([
  [[], 'profile needs a command, after "--".'],
  [['--warmup', '0', '--', 'true'], '--warmup takes a whole number from 1 on, not "0".'],
  [['--active', 'x', '--', 'true'], '--active takes a whole number from 1 on, not "x".'],
  [['--launcher', 'mpi', '--', 'true'], '--launcher takes none, torchrun, srun; not "mpi".'],
  [['--launcher', 'torchrun', '--', 'true'], '--launcher torchrun starts a Python script or "python …"; not "true".'],
])('gpu-lens profile %j is wrong usage', (args, sentence) => {
  expect(profile(...args)).toEqual({status: 2, stdout: '', stderr: `gpu-lens: ${sentence} See gpu-lens --help.\n`});
});

it('gpu-lens profile gives what stands behind "--" to the command, and its output to standard error', () => {
  const script = join(folder, 'say it.sh');
  writeFileSync(script, 'for word in "$@"; do echo "<$word>"; done\n');
  const {status, stdout, stderr} = profile('--', 'sh', script, '--help', 'a b', '$HOME;ls');
  expect({status, stdout}).toEqual({status: 1, stdout: ''});
  expect(stderr).toContain('<--help>\n<a b>\n<$HOME;ls>\n');
  expect(stderr).toMatch(/gpu-lens: say it\.sh ran, but nothing was recorded: it did not import torch\.\n$/);
  expect(existsSync(join(folder, '.gpu-lens', '.gitignore'))).toBe(true);
});

it('gpu-lens profile says how a command failed', () => {
  expect(profile('--', '/no/such program').stderr).toMatch(
    /program failed with exit code 127: \/no\/such program: No such file or directory\.\n$/,
  );
  writeFileSync(join(folder, 'fails.py'), 'raise ValueError("no data")\n');
  expect(profile('--', 'fails.py').stderr).toMatch(/fails\.py failed with exit code 1: ValueError: no data\.\n$/);
  expect(profile('--python', '/no/python', '--', 'fails.py').stderr).toMatch(
    /--python names \/no\/python, which cannot be run\.\n$/,
  );
});

it('gpu-lens profile that is interrupted ends all that the command started, in whatever session', async () => {
  const marker = `gpu-lens-test-${String(process.pid)}`;
  const script = join(folder, 'tree.py');
  writeFileSync(
    script,
    `import subprocess, sys, time, signal
sleep = [sys.executable, "-c", "import time; time.sleep(600)", "${marker}"]
deaf = [sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", "${marker}"]
subprocess.Popen(sleep)
subprocess.Popen(sleep, start_new_session=True)
subprocess.Popen(deaf, start_new_session=True)
signal.signal(signal.SIGINT, signal.SIG_IGN)
time.sleep(600)
`,
  );
  const child = spawn(process.execPath, [cli, 'profile', '--', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = end(child);
  await vi.waitUntil(() => running(marker) === 3, {timeout: 20_000, interval: 50});
  child.kill('SIGINT');
  const {status, stderr} = await ended;
  expect(status).toBe(1);
  expect(stderr).toContain('gpu-lens: Profiling tree.py was cancelled; nothing had been recorded.\n');
  expect(running(marker)).toBe(0);
}, 60_000);

it('gpu-lens profile tells an editor in a file, also why it could not run', () => {
  const messages = join(folder, 'messages');
  mkdirSync(messages);
  const {stdout} = profile('--messages', messages, '--name', 'my run', '--', 'sh', '-c', 'echo hello');
  expect(stdout).toBe('hello\n');
  const [file = ''] = readdirSync(messages);
  expect(file).toMatch(/^\d+\.jsonl$/);
  const lines = execFileSync('cat', [join(messages, file)], {encoding: 'utf8'})
    .trimEnd()
    .split('\n');
  expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject([
    {v: 1, message: 'began', name: 'my run'},
    {message: 'progress', text: 'starting'},
    {
      message: 'ended',
      result: {
        status: 0,
        sentences: ['my run ran, but nothing was recorded: it did not import torch.'],
        tail: ['hello'],
      },
    },
  ]);
});

function end(child: ChildProcess): Promise<{status: number | null; stderr: string}> {
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise(resolve => {
    child.on('close', status => {
      resolve({status, stderr});
    });
  });
}

/** How many processes have a text in their command line. */
function running(text: string): number {
  const lines = execFileSync('ps', ['-eo', 'args'], {encoding: 'utf8'}).split('\n');
  return lines.filter(line => line.includes(text) && !line.startsWith('ps ')).length;
}
