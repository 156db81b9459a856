import {spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {LaunchTemplate} from '../../../src/launch/command/launch-template.js';
import {runElsewhere} from '../../../src/launch/elsewhere/run-elsewhere.js';
import {project, temporaryFolder} from '../../support/project.js';
import {writeRecordingStandIn} from '../../support/recording-stand-in.js';

const cli = join(project, 'dist', 'cli.cjs');
const folder = temporaryFolder();
const bin = join(folder, 'bin');
mkdirSync(bin);

/** A program for PATH. */
function standIn(name: string, text: string): void {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

// Runs the job's line as a batch system does: in a shell of its own, with the output in a file.
standIn(
  'sbatch',
  `#!/bin/sh
for argument in "$@"; do
  case "$argument" in
    --output=*) output="\${argument#--output=}" ;;
    --wrap=*) line="\${argument#--wrap=}" ;;
  esac
done
sh -c "$line" >"$output" 2>&1
`,
);
// Another machine: a login shell in another folder, whose exit status comes back.
standIn('ssh', '#!/bin/sh\nshift\ncd / && exec sh -c "$*"\n');

const recording = writeRecordingStandIn(folder);

function profile(template: object, status: string, output: string) {
  const run = spawnSync(
    process.execPath,
    [cli, 'profile', `--launch-template=${JSON.stringify(template)}`, '-o', output, '--', 'python3', recording, status],
    {encoding: 'utf8', cwd: folder, env: {...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`}},
  );
  return {status: run.status, stderr: run.stderr};
}

/** A template that carries the recorder into a folder of its own. */
const carried = (there: string, clean: string[]) => ({
  folder: `${there}/{id}`,
  carry: ['cp', '-r', '{recorder}', '{folder}'],
  run: ['ssh', 'host', '{commandLine}'],
  fetch: ['cp', '-r', '{folder}/run/.', '{runFolder}'],
  clean,
});

const runsIn = (output: string) => readdirSync(join(output, 'runs')).map(name => join(output, 'runs', name));

describe('gpu-lens profile --launch-template', () => {
  it('runs a batch job that shares the file system', () => {
    const output = join(folder, 'slurm');
    const batch = ['sbatch', '--wait', '--job-name={id}', '--output={runFolder}/job.log', '--wrap={commandLine}'];
    const {status, stderr} = profile({run: batch, cancel: ['scancel', '--name={id}']}, '0', output);
    expect(status, stderr).toBe(0);
    const [run = ''] = runsIn(output);
    expect(readdirSync(run)).toContain('steps.pt.trace.json');
    expect(readFileSync(join(folder, 'cwd.txt'), 'utf8')).toBe(folder);
  });

  it('carries the recorder to another machine, fetches the profiles, and removes its folder there', () => {
    const output = join(folder, 'far');
    const there = join(folder, 'there');
    mkdirSync(there);
    const {status, stderr} = profile(carried(there, ['rm', '-r', '{folder}']), '0', output);
    expect(status, stderr).toBe(0);
    const [run = ''] = runsIn(output);
    expect(existsSync(join(run, 'steps.pt.trace.json'))).toBe(true);
    expect(readdirSync(there)).toEqual([]);
  });

  it('keeps what it has fetched, and the status, if the copies cannot be removed, and says so', () => {
    const output = join(folder, 'left');
    const there = join(folder, 'left there');
    mkdirSync(there);
    const {status, stderr} = profile(carried(there, ['false']), '0', output);
    expect(status, stderr).toBe(0);
    const [run = ''] = runsIn(output);
    expect(stderr).toContain(`gpu-lens: recorded ${join(run, 'steps.pt.trace.json')}\n`);
    expect(stderr).toContain('Note: false, of the launch template, failed while removing the copies.\n');
    const kept = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as object;
    expect(kept).toMatchObject({status: 0, profiles: [{file: 'steps.pt.trace.json'}]});
  });

  it('says which program of the template failed', () => {
    const template = {
      folder: '/tmp/{id}',
      carry: ['sh', '-c', 'echo no route to host >&2; exit 255'],
      run: ['ssh', 'host', '{commandLine}'],
      fetch: ['true'],
    };
    const {status, stderr} = profile(template, '0', join(folder, 'unreachable'));
    expect(status).not.toBe(0);
    expect(stderr).toContain('sh, of the launch template, failed while carrying the recorder: no route to host.');
  });
});

describe('runElsewhere(place, command, options)', () => {
  /** Runs a template whose programs each leave a file, and cancels it while it carries. Returns the status and the files. */
  const cancelledWhileCarrying = async (name: string, parts: Partial<LaunchTemplate>) => {
    const there = join(folder, name);
    mkdirSync(there);
    const leaves = (file: string) => ['touch', join(there, file)];
    const template: LaunchTemplate = {
      ...{run: leaves('ran'), carry: leaves('carried'), fetch: leaves('fetched')},
      ...{clean: leaves('cleaned'), folder: there, workingFolder: null, python: null, ...parts},
    };
    const values = {id: name, runFolder: there, recorder: there, folder: there, workingFolder: there};
    const stop = new AbortController();
    const place = {template, values, runFolder: there, recorder: there};
    const {status} = await runElsewhere(place, ['python3'], {
      ...{cwd: folder, env: process.env, stdio: 'ignore', signal: stop.signal, abandon: new AbortController().signal},
      onProgress: text => {
        if (text === 'carrying the recorder') stop.abort();
      },
    });
    return {status, files: readdirSync(there).toSorted()};
  };

  it.each([
    ['with a program that cancels', {cancel: ['true']}],
    ['without one', {}],
  ])('starts nothing if it is cancelled while the recorder is carried, %s', async (name, parts) => {
    const {status, files} = await cancelledWhileCarrying(name, parts);
    expect(status).toBe(130);
    expect(files).toEqual(['carried', 'cleaned']);
  });
});
