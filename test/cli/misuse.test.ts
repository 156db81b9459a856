import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, copyFileSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {isNodeNewEnough} from '../../src/cli/right-node.js';
import {cli, json, run} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {withoutRootsRights} from '../support/roots-rights.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeTwoKernels} from '../support/two-kernels.js';
import {patience} from '../support/patience.js';

const folder = temporaryFolder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

const trace = writeTwoKernels(folder);

describe('gpu-lens, misused', () => {
  it.each([
    [['nothing'], 'There is no command "nothing".'],
    [['info'], 'info needs a file or a folder.'],
    [['ranges'], 'ranges needs one file.'],
    [['ranges', trace, trace], 'ranges needs one file.'],
    [['info', trace, '--format', 'xml'], '--format takes table, json, csv, markdown; not "xml".'],
    [['report', trace, '--format', 'html'], '--format takes table, json, csv, markdown; not "html".'],
    [['ranges', trace, '--by', 'x'], '--by takes name, path, instance, line; not "x".'],
    [['ranges', trace, '--kinds', 'constructor'], '--kinds takes op, module, python; not "constructor".'],
    [
      ['stats', trace, '-r', 'cuda_api_sum', '--kinds', 'op'],
      '--kinds, --domain and --fold are of reports of ranges: ',
    ],
    [['stats', trace, '-r', 'nvtx_sum', '--unfold', 'a'], '--unfold goes with --fold or --fold-layers.'],
    [['ranges', trace, '--from', '-1'], '--from takes a whole number, not "-1".'],
    [['ranges', trace, '--step', 'one'], '--step takes a whole number, not "one".'],
    [['ranges', trace, '--step'], '--step needs a value: --step N. See'],
    [['ranges', trace, '--step', '--fold'], '--step needs a value: --step N. See'],
    [
      ['ranges', trace, '--domain', '-x'],
      '--domain needs a value: --domain NAME. A value that begins with a dash is written --domain=-x.',
    ],
    [['stats', trace, '-r'], '-r needs a value: -r REPORT. See'],
    [['info', trace, '--format'], '--format needs a value: --format table|json|csv|markdown. See'],
    [['findings', trace, '--verify=yes'], '--verify takes no value; not "yes".'],
    [['info', trace, '-z'], 'info has no option -z. See gpu-lens info --help.'],
  ])('%j: exit status 2 and one sentence', (args, sentence) => {
    const {status, stdout, stderr} = run(...args);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain(`gpu-lens: ${sentence}`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each(['info', 'profile', 'estimate', 'mcp', 'cross-check'])(
    '%s names an option that it does not have',
    command => {
      expect(run(command, trace, '--nothing', '--', 'true')).toEqual({
        ...{status: 2, stdout: ''},
        stderr: `gpu-lens: ${command} has no option --nothing. See gpu-lens ${command} --help.\n`,
      });
    },
  );

  it.each([
    [['--filter-nvtx', 'never'], 'No range of this profile is "never".'],
    [['--step', '7'], 'This profile has no step 7.'],
  ])('ranges %j: exit status 1 where nothing fits', (args, sentence) => {
    expect(run('ranges', trace, ...args)).toEqual({status: 1, stdout: '', stderr: `gpu-lens: ${sentence}\n`});
  });

  it('never writes over what it reads, however that is spelled', () => {
    const own = temporaryFolder();
    const profile = join(own, 'run.json');
    copyFileSync(trace, profile);
    const [soft, hard, asParquet] = ['soft.json', 'hard.json', 'run.parquet'].map(name => join(own, name));
    symlinkSync(profile, soft ?? '');
    linkSync(profile, hard ?? '');
    linkSync(profile, asParquet ?? '');
    const questions = join(own, 'questions.svg');
    writeFileSync(questions, '-- How many?\nselect count(*) from slices;\n');
    const before = readFileSync(profile, 'utf8');
    const relative = join(own, '..', basename(own), '.', 'run.json');
    const outputs = [profile, relative, soft ?? '', hard ?? ''];
    const commands = outputs.flatMap(output => [
      ['export', profile, '--to', 'perfetto', '-o', output],
      ['report', profile, '-o', output],
      ['report', trace, profile, '-o', output],
      ['summarize', profile, '-o', output],
    ]);
    for (const command of [
      ...commands,
      ['export', soft ?? '', '--to', 'csv', '-o', profile],
      ['export', profile, '--to', 'parquet', '-o', asParquet ?? ''],
      ['summarize', profile, '-o', own],
      // The picture lies beside the text, and has its name.
      ['report', profile, '--questions', questions, '-o', join(own, 'questions.md')],
    ]) {
      const {status, stderr} = run(...command);
      expect({command, status}).toEqual({command, status: 2});
      expect(stderr).toMatch(
        /^gpu-lens: -o names .*, which is read: name another file to write\. See gpu-lens \w+ --help\.$/m,
      );
    }
    expect(readFileSync(profile, 'utf8')).toBe(before);
    expect(readFileSync(questions, 'utf8')).toContain('How many?');
    // Another file may be written over.
    const other = join(own, 'other.json');
    for (const again of [1, 2]) {
      expect({again, ...run('export', profile, '--to', 'perfetto', '-o', other)}).toMatchObject({again, status: 0});
    }
  });

  it('helps, and without arguments too', () => {
    const {status, stdout, stderr} = run('--help');
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(stdout).toMatch(/^ {2}ranges +GPU and CPU time of each tagged range, and of the lines$/m);
    // All commands on one screen.
    expect(stdout.split('\n').length).toBeLessThan(50);
    for (const line of stdout.split('\n')) expect(line).not.toMatch(/\s$/);
    expect(run('-h').stdout).toBe(stdout);
    expect(run('help').stdout).toBe(stdout);
    expect(run()).toMatchObject({status: 2, stdout: '', stderr: stdout});
  });

  it('has the options of a command in its own help', () => {
    const {status, stdout} = run('ranges', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: gpu-lens ranges FILE \[--by name\|path\|instance\|line\]/);
    expect(stdout).not.toContain('gpu-lens stats');
    expect(run('help', 'ranges').stdout).toBe(stdout);
    expect(run('ranges', trace, '-h').stdout).toBe(stdout);
    expect(run('nothing', '--help')).toMatchObject({status: 2, stdout: ''});
  });

  it('tells its version', () => {
    const {version} = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {version: string};
    expect(run('--version')).toEqual({status: 0, stdout: `gpu-lens ${version} (JSON schema 1)\n`, stderr: ''});
  });

  it('reads standard input in the place of "-", and leaves nothing behind', () => {
    const input = readFileSync(trace);
    const own = temporaryFolder();
    const options = {input, env: {...process.env, TMPDIR: own}};
    const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'ranges', '-', '--format', 'json'], options);
    expect({status, stderr: String(stderr)}).toEqual({status: 0, stderr: ''});
    expect(String(stdout)).toBe(run('ranges', trace, '--format', 'json').stdout);
    expect(readdirSync(own)).toEqual([]);
    expect(spawnSync(process.execPath, [cli, 'info', '--', '-'], options).status).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves nothing of standard input behind after %s', async signal => {
    const own = temporaryFolder();
    const child = spawn(process.execPath, [cli, 'info', '-'], {env: {...process.env, TMPDIR: own}});
    child.stdin.write('{');
    await vi.waitUntil(() => readdirSync(own).length > 0, patience);
    child.kill(signal);
    const [, ended] = (await once(child, 'close')) as [number | null, string | null];
    expect(ended).toBe(signal);
    expect(readdirSync(own)).toEqual([]);
  });

  it.each([
    [join(folder, 'none.json'), 'none.json does not exist.'],
    [
      join(project, 'media', 'icons', 'gpu-lens.png'),
      'GPU Lens cannot open gpu-lens.png. It opens Nsight Systems exports, texts with tables that nsys stats or PyTorch printed, rocprofv3 profiles and PyTorch profiler traces.',
    ],
  ])('%s: exit status 1, one sentence, no stack', (path, sentence) => {
    const {status, stdout, stderr} = run('info', path);
    expect({status, stdout}).toEqual({status: 1, stdout: ''});
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a folder is not a profile', () => {
    expect(run('ranges', folder)).toMatchObject({
      ...{status: 1, stdout: ''},
      stderr: expect.stringMatching(/^gpu-lens: .* is a folder, not a profile\.\n$/) as string,
    });
  });

  it('a damaged file gives what was read, with a note, and exit status 0', () => {
    const cut = join(folder, 'cut.json');
    writeFileSync(cut, kinetoText([kineto.op('a', 0, 1), kineto.op('b', 5, 1)]).slice(0, -20));
    expect(json('info', cut)).toMatchObject({
      counts: {cpuOps: 1},
      notes: [{code: 'file/truncated'}, {code: 'gpu/none'}],
    });
  });

  it('a file without read permission: exit status 1 and one sentence', () => {
    const secret = join(folder, 'secret.json');
    copyFileSync(trace, secret);
    chmodSync(secret, 0);
    const [program, ...args] = [...withoutRootsRights(), process.execPath, cli, 'info', secret];
    const {status, stderr} = spawnSync(program, args, {encoding: 'utf8'});
    expect({status, stderr}).toEqual({status: 1, stderr: 'gpu-lens: secret.json cannot be read: permission denied.\n'});
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', () => {
    const pipe = join(folder, 'pipe.json');
    spawnSync('mkfifo', [pipe]);
    const {status, stderr} = spawnSync(process.execPath, [cli, 'info', pipe], {
      encoding: 'utf8',
      timeout: patience.timeout,
      killSignal: 'SIGKILL',
    });
    expect({status, stderr}).toEqual({status: 1, stderr: 'gpu-lens: pipe.json is not a regular file.\n'});
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe that stands in the place of a sidecar', () => {
    const path = join(folder, 'piped.pt.trace.json');
    copyFileSync(trace, path);
    spawnSync('mkfifo', [join(folder, 'piped.meta.json')]);
    expect(json('ranges', path)).toMatchObject([{name: 'step, "one"', file: null}, {}, {}, {}, {}]);
  });

  it('runs under the Node that is there, or in its own', () => {
    // What `node` is outside npm's scripts: any version from 20 on.
    const path = (process.env['PATH'] ?? '').split(':').filter(entry => !entry.includes('node_modules'));
    const {status, stderr} = spawnSync('node', [cli, 'info', sample], {encoding: 'utf8', env: {PATH: path.join(':')}});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect([isNodeNewEnough('20.20.2'), isNodeNewEnough('22.14.0'), isNodeNewEnough('22.15.0')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('ends quietly when nobody reads its output any more', () => {
    const {stderr, status} = spawnSync(
      'sh',
      ['-c', `"$1" "$2" ranges "$3" --by instance | head -n 1; exit 0`, 'sh', process.execPath, cli, sample],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(0);
    expect(stderr).not.toContain('EPIPE');
  });
});
