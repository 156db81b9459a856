import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {expectSchema} from '../support/json-schema.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeReplayingNsys} from '../support/replaying-nsys.js';

const folder = temporaryFolder();
const recorded = writeNsysDatabase(join(folder, 'recorded.sqlite'));

/** In the environment of every command line here, where a test sets it. */
let limitSeconds: string | undefined;

function profile(nsys: string, ...args: string[]) {
  return spawnSync(process.execPath, [join(project, 'dist', 'cli.cjs'), 'profile', '--profiler', 'nsys', ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: {...process.env, GPU_LENS_NSYS: nsys, GPU_LENS_NSYS_LIMIT: limitSeconds},
  });
}

it('gpu-lens profile --profiler nsys prints the export’s path, and each NVTX range with mean and deviation', () => {
  const nsys = writeReplayingNsys(join(folder, 'nsys'), recorded);
  const {status, stdout, stderr} = profile(nsys, '--paths', '--runs', '2', '--', 'sh', '-c', 'echo a run');
  expect(status).toBe(0);
  expect(readFileSync(stdout.trimEnd())).toEqual(readFileSync(recorded));
  expect(stderr.match(/^a run$/gm)).toHaveLength(4);
  expect(stderr).toMatch(/Avg \(ns\).*StdDev \(ns\)/);
  expect(stderr).toMatch(/^Note: 2 runs without nsys took /m);
  const asJson = profile(nsys, '--format', 'json', '--runs', '0', '--', 'sh', '-c', 'true');
  expect(asJson.status).toBe(0);
  expectSchema('profile', asJson.stdout);
  expect(stderr).toContain('look through it before you share it.');
});

it('gpu-lens profile --profiler nsys says what a report lacks: GPU work, and forked processes', () => {
  const thread = 281475144482826;
  const fork = (start: number) =>
    `insert into OSRT_API values (${String(start)}, ${String(start + 50)}, 27, ${String(thread)}, 99);`;
  const tables = ['KERNEL', 'MEMCPY', 'GRAPH_TRACE'].map(name => `delete from CUPTI_ACTIVITY_KIND_${name};`).join('');
  // Another process has events: one of the three at least is in the report.
  const sql = `${tables} insert into StringIds values (99, 'fork'); ${fork(600)} ${fork(700)} ${fork(800)}`;
  const nsys = writeReplayingNsys(join(folder, 'forks'), writeNsysDatabase(join(folder, 'forks.sqlite'), sql));
  const {status, stderr} = profile(nsys, '--runs', '0', '--', 'true');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Note: There is no GPU work in this profile/m);
  expect(stderr).toMatch(
    /^Note: 3 processes were forked, but the report has events of only 1 process besides the first\. .*--trace-fork-before-exec=true/m,
  );
});

it('gpu-lens profile --profiler nsys runs a script once, with the flags that Python needs, and a compiled program in all five times', () => {
  const nsys = writeReplayingNsys(join(folder, 'once'), recorded);
  writeFileSync(join(folder, 'run.sh'), 'echo a run\n');
  const script = profile(nsys, '--', 'bash', 'run.sh');
  expect(script.status).toBe(0);
  expect(script.stdout.match(/^a run$/gm)).toHaveLength(1);
  const compiled = profile(nsys, '--', '/bin/echo', 'a run');
  expect(compiled.stdout.match(/^a run$/gm)).toHaveLength(5);
  const [ofScript, ofCompiled] = readFileSync(join(folder, 'once', 'calls'), 'utf8').split('\n');
  expect(ofScript).toContain('--python-backtrace=cuda');
  expect(ofCompiled).not.toContain('--python-backtrace');
});

it('gpu-lens profile --profiler nsys says that there is none', () => {
  const {status, stdout, stderr} = profile('/no/nsys', '--', 'true');
  expect({status, stdout}).toEqual({status: 125, stdout: ''});
  expect(stderr).toContain('/no/nsys, which GPU_LENS_NSYS names, is not a program.');
});

it('gpu-lens profile --profiler nsys takes no option that has no effect', () => {
  const {status, stderr} = profile('/no/nsys', '--memory', '--', 'true');
  expect(status).toBe(2);
  expect(stderr).toContain('--memory has no effect with --profiler nsys.');
});

it.skipIf(process.platform !== 'linux')(
  'GPU_LENS_NSYS_LIMIT ends an nsys that hangs, and what it recorded is kept',
  () => {
    // The stand-in writes and exports a report meanwhile, each of which may have to wait for the disk.
    limitSeconds = '8.5';
    const nsys = writeReplayingNsys(join(folder, 'hangs'), recorded, {hangs: 'profile', hangsWith: 'report'});
    const {status, stdout, stderr} = profile(nsys, '--paths', '--runs', '0', '--', 'true');
    expect(status).toBe(1);
    expect(readFileSync(stdout.trimEnd())).toEqual(readFileSync(recorded));
    expect(stderr).toContain('nsys hung: with nothing of true running any more it neither wrote nor ended for 8.5 s');
    limitSeconds = 'soon';
    const refused = profile(nsys, '--runs', '0', '--', 'true');
    expect(refused).toMatchObject({status: 2, stdout: ''});
    expect(refused.stderr).toContain('GPU_LENS_NSYS_LIMIT takes a number of seconds; not "soon".');
    limitSeconds = undefined;
  },
);

it('gpu-lens profile --runs takes a whole number', () => {
  expect(profile('/no/nsys', '--runs', '-1', '--', 'true').status).toBe(2);
});
