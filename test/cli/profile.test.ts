import {execFileSync, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';
import {patience} from '../support/patience.js';

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
  [['--warmup', '0', '--', 'true'], '--warmup takes a whole number from 1 on; not "0".'],
  [['--active', 'x', '--', 'true'], '--active takes a whole number from 1 on; not "x".'],
  [['--prewarm=-1', '--', 'true'], '--prewarm takes a whole number; not "-1".'],
  [['--window=soon', '--', 'true'], '--window takes a number of seconds; not "soon".'],
  [['--device', 'tpu', '--', 'true'], '--device takes auto, cpu; not "tpu".'],
  [['--launcher', 'mpi', '--', 'true'], '--launcher takes none, torchrun, srun; not "mpi".'],
  [['--ranks', '2', '--', 'true'], '--ranks needs --launcher torchrun or srun, which starts so many processes.'],
  [['--nodes', '2', '--', 'true'], '--nodes needs --launcher torchrun or srun, which starts processes there.'],
  [['--launcher', 'torchrun', '--', 'true'], '--launcher torchrun starts a Python script or "python …"; not "true".'],
])('gpu-lens profile %j is wrong usage', (args, sentence) => {
  expect(profile(...args)).toEqual({
    status: 2,
    stdout: '',
    stderr: `gpu-lens: ${sentence} See gpu-lens profile --help.\n`,
  });
});

it('gpu-lens profile gives what stands behind "--" to the command, and its output to standard output', () => {
  const script = join(folder, 'say it.sh');
  writeFileSync(script, 'for word in "$@"; do echo "<$word>"; done\n');
  const {status, stdout, stderr} = profile('--', 'sh', script, '--help', 'a b', '$HOME;ls');
  expect({status, stdout}).toEqual({status: 0, stdout: '<--help>\n<a b>\n<$HOME;ls>\n'});
  // Progress is for terminals.
  expect(stderr).not.toContain('starting');
  expect(stderr).toMatch(
    /gpu-lens: say it\.sh ran, but nothing was recorded: it did not import torch, or its Python could not be reached\. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:\$PYTHONPATH; instead of env -i, use env -u NAME\. For a program without Python, record with nsys \(profiler: nsys\)\.\n$/,
  );
  expect(existsSync(join(folder, '.gpu-lens', '.gitignore'))).toBe(true);
});

it('gpu-lens profile --paths has standard output for paths alone', () => {
  const {status, stdout, stderr} = profile('--paths', '--', 'sh', '-c', 'echo said');
  expect({status, stdout}).toEqual({status: 0, stdout: ''});
  expect(stderr).toContain('said\n');
});

it.each([
  ['exit 3', 3, 1],
  ['kill -SEGV $$', 139, 1],
  ['kill -KILL $$', 137, 1],
  ['true', 0, 1],
])(
  'gpu-lens profile passes the exit status of "%s" through, and has its own where it is asked for',
  (line, own, ours) => {
    expect(profile('--', 'sh', '-c', line).status).toBe(own);
    expect(profile('--exit-code', 'own', '--', 'sh', '-c', line).status).toBe(ours);
  },
);

it('gpu-lens profile ends with 125 where it cannot start a command, and with 127 where there is none', () => {
  expect(profile('--python', '/no/python', '--', 'true').status).toBe(125);
  expect(profile('--', '/no/such program').status).toBe(127);
  writeFileSync(join(folder, 'no program'), '', {mode: 0o644});
  expect(profile('--', join(folder, 'no program')).status).toBe(126);
});

it('gpu-lens profile names no printed line as the reason of a failure', () => {
  writeFileSync(join(folder, 'exits.py'), 'print("loss 1")\nimport sys; print("bye", file=sys.stderr); sys.exit(3)\n');
  expect(profile('--', 'exits.py').stderr).toMatch(/exits\.py failed with exit code 3\.\n$/);
});

it('gpu-lens profile passes signals on, and gives the command its own time to end', async () => {
  writeFileSync(
    join(folder, 'signals.py'),
    `import signal, sys, time
say = lambda number, frame: print(number, flush=True)
signal.signal(signal.SIGUSR1, say), signal.signal(signal.SIGUSR2, say)
def end(number, frame):
    time.sleep(float(sys.argv[1]))
    print("saved", flush=True)
    sys.exit(7)
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
while True: time.sleep(0.05)
`,
  );
  const ended = async (grace: string, takes: string) => {
    const command = [cli, 'profile', '--grace', grace, '--', 'signals.py', takes];
    const child = spawn(process.execPath, command, {cwd: folder});
    let told = '';
    child.stdout.on('data', (data: Buffer) => (told += data.toString()));
    const result = end(child);
    const next = ['SIGUSR1', 'SIGUSR2', 'SIGTERM'] as const;
    for (const [index, signal] of next.entries()) {
      await vi.waitUntil(() => told.split('\n').length > index + 1, patience);
      child.kill(signal);
    }
    const {status} = await result;
    return {status, told};
  };
  expect(await ended('60', '4')).toEqual({status: 7, told: 'ready\n10\n12\nsaved\n'});
  expect(await ended('1', '600')).toEqual({status: 137, told: 'ready\n10\n12\n'});
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

it('gpu-lens profile starts a job of several nodes as srun wants it', () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'srun'), '#!/bin/sh\necho "$@"\n', {mode: 0o755});
  writeFileSync(join(folder, 'job.py'), '');
  const start = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    spawnSync(process.execPath, [cli, 'profile', '--python', 'python3', ...args, '--', 'job.py'], {
      encoding: 'utf8',
      cwd: folder,
      env: {...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...env},
    });
  const several = ['--launcher', 'torchrun', '--ranks', '4', '--nodes', '2'];
  const allocation = {SLURM_JOB_ID: '7', SLURM_JOB_NODELIST: 'n[1-2]'};
  expect(start(allocation, ...several).stdout).toMatch(
    /^--nodes 2 --ntasks 2 --ntasks-per-node=1 --kill-on-bad-exit=1 --export=ALL \S*python3 -m torch\.distributed\.run .* job\.py$/m,
  );
  const {status, stderr} = start({SLURM_JOB_NODELIST: ''}, ...several);
  expect({status, stderr}).toEqual({
    status: 125,
    stderr:
      'gpu-lens: torchrun on several nodes is started by srun, in a Slurm allocation: begin with salloc or sbatch.\n',
  });
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
print("deaf to interrupts", flush=True)
time.sleep(600)
`,
  );
  const child = spawn(process.execPath, [cli, 'profile', '--', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = end(child);
  let told = '';
  child.stdout.on('data', (data: Buffer) => (told += data.toString()));
  await vi.waitUntil(() => running(marker) === 3 && told.includes('deaf'), patience);
  child.kill('SIGINT');
  const {status, stderr} = await ended;
  // It ignores the interrupt, and is asked otherwise.
  expect(status).toBe(143);
  expect(stderr).toContain('gpu-lens: Profiling tree.py was cancelled; nothing had been recorded.\n');
  expect(running(marker)).toBe(0);
});

it('gpu-lens profile that is killed leaves nothing running', async () => {
  const marker = `gpu-lens-killed-${String(process.pid)}`;
  writeFileSync(
    join(folder, 'killed.py'),
    `import subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(600)", "${marker}"]
subprocess.Popen(sleep)
subprocess.Popen(sleep, start_new_session=True)
time.sleep(600)
`,
  );
  const child = spawn(process.execPath, [cli, 'profile', '--output', 'killed', '--', 'killed.py'], {cwd: folder});
  await vi.waitUntil(() => running(marker) === 2, patience);
  child.kill('SIGKILL');
  await vi.waitUntil(() => running(marker) === 0, patience);
  const runs = join(folder, 'killed', 'runs');
  const [run = ''] = readdirSync(runs);
  const events = () => readFileSync(join(runs, run, 'events.jsonl'), 'utf8');
  await vi.waitUntil(() => events().includes('"event": "exit"'), patience);
  expect(events()).toContain('"event": "stopping"');
  expect(events()).toContain('"why": "parent"');
});

it('gpu-lens profile tells a terminal how it comes along, and ends what it started when that is closed', async () => {
  const marker = `gpu-lens-closed-${String(process.pid)}`;
  writeFileSync(
    join(folder, 'closed.py'),
    `import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "${marker}"], start_new_session=True)
print("READY", flush=True)
time.sleep(600)
`,
  );
  const terminal = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"READY" not in seen or b"starting" not in seen:
    seen += os.read(terminal, 4096)
os.close(terminal)
print(os.waitpid(pid, 0)[1], b"gpu-lens: starting" in seen)
`;
  const command = [process.execPath, cli, 'profile', '--', 'closed.py'];
  const child = spawn('python3', ['-c', terminal, ...command], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
  let told = '';
  child.stdout.on('data', (data: Buffer) => (told += data.toString()));
  await end(child);
  // It ended by itself with the command's status, which the closed terminal ended by SIGHUP.
  expect(told).toBe(`${String(129 << 8)} True\n`);
  expect(running(marker)).toBe(0);
});

it('gpu-lens profile tells an editor why its command line makes no sense', () => {
  const messages = join(folder, 'wrong');
  mkdirSync(messages);
  expect(profile('--messages', messages, '--step', 'some', '--', 'true').status).toBe(2);
  const [file = ''] = readdirSync(messages);
  expect(JSON.parse(readFileSync(join(messages, file), 'utf8'))).toMatchObject({
    message: 'ended',
    result: {sentences: ['--step takes auto, train, infer, window, range:NAME or FILE:LINE; not "some".']},
  });
});

it('gpu-lens profile tells an editor’s problem matcher where a command failed, a line each, and nobody else', () => {
  const messages = join(folder, 'problems');
  mkdirSync(messages);
  writeFileSync(join(folder, 'wrong.py'), 'def load(): raise ValueError("no: data")\nload()\n');
  const {stdout, stderr} = profile('--messages', messages, '--', 'wrong.py');
  const {contributes} = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
  const [{pattern, fileLocation}] = contributes.problemMatchers;
  const matched = `${stdout}${stderr}`
    .split('\n')
    .flatMap(line => new RegExp(pattern.regexp).exec(line)?.slice(1) ?? []);
  expect(matched).toEqual([join(folder, 'wrong.py'), '1', 'ValueError: no: data']);
  expect({...pattern, regexp: '', fileLocation}).toEqual({
    ...{regexp: '', fileLocation: 'absolute'},
    ...{file: 1, line: 2, message: 3},
  });
  expect(profile('--', 'wrong.py').stderr).not.toContain('gpu-lens: /');
});

it('gpu-lens profile tells an editor in a file, also why it could not run', () => {
  const messages = join(folder, 'messages');
  mkdirSync(messages);
  const {stdout} = profile('--messages', messages, '--name', 'my run', '--', 'sh', '-c', 'echo hello; echo there >&2');
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
        sentences: [
          'my run ran, but nothing was recorded: it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys).',
        ],
        tail: ['there'],
      },
    },
  ]);
});

interface Manifest {
  readonly contributes: {
    readonly problemMatchers: readonly [{readonly fileLocation: string; readonly pattern: {readonly regexp: string}}];
  };
}

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
