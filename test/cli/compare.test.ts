import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {cli, json, run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {steps, twoRangeSteps} from '../support/two-range-steps.js';

const folder = temporaryFolder();
/** Writes a trace of twelve steps with a kernel in each of two ranges. @returns its path */
function writeSteps(name: string, attentionUs: number, gpu?: string): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, twoRangeSteps(attentionUs, gpu));
  return path;
}

const base = writeSteps('base', 100);
const slower = writeSteps('slower', 120);
const faster = writeSteps('faster', 90);

describe('gpu-lens compare', () => {
  it('gives the object of the contract', () => {
    const comparison = json('compare', base, slower, '--by', 'range') as Record<string, unknown>;
    expect(comparison).toEqual({
      comparable: {verdict: 'yes', reasons: []},
      total: {
        ...{per: 'step', beforeNs: 302_000, afterNs: 322_000, deltaNs: 20_000, verdict: 'slower'},
        ...{noiseNs: expect.any(Number) as number, beforeSteps: steps, afterSteps: steps},
      },
      rows: [
        {
          ...{kind: 'range', path: 'ProfilerStep#*/attention'},
          before: {gpuWorkNs: 101_000, count: 1},
          after: {gpuWorkNs: 121_000, count: 1},
          ...{deltaNs: 20_000, callsDeltaNs: 0, perCallDeltaNs: 20_000, deltaPercent: (100 * 20) / 101},
          ...{noiseNs: expect.any(Number) as number, verdict: 'slower', matchedBy: 'path'},
        },
        expect.objectContaining({path: 'ProfilerStep#*', deltaNs: 0, verdict: 'same'}) as object,
        expect.objectContaining({path: 'ProfilerStep#*/mlp', deltaNs: 0, verdict: 'same'}) as object,
      ],
      noise: {from: 'steps', baseRuns: 1, changedRuns: 1},
    });
  });

  it('has rows of every kind without --by, and one step of each file behind #step=N', () => {
    const {total, rows} = json('compare', `${base}#step=3`, `${slower}#step=4`) as {
      total: Record<string, unknown>;
      rows: {kind: string}[];
    };
    expect(total).toMatchObject({
      per: 'step',
      beforeNs: 300_000,
      afterNs: 322_000,
      verdict: 'cannot tell',
      beforeSteps: 1,
    });
    expect(new Set(rows.map(({kind}) => kind))).toEqual(new Set(['range', 'module', 'op', 'class', 'kernel']));
  });

  it('compares two windows of one file behind #window=FROM:TO', () => {
    const {total} = json('compare', `${base}#window=0:450000`, `${base}#window=0:1000000`) as {total: object};
    // The first kernel of a step runs from 200 µs on, the second one from 600 µs on.
    expect(total).toMatchObject({per: 'all', beforeNs: 100_000, afterNs: 300_000, verdict: 'cannot tell'});
    expect(run('compare', `${base}#window=5:5`, base).stderr).toContain('#window=FROM:TO, in ns');
  });

  it('takes the run of a git commit, and no run with changes besides it', () => {
    const project = temporaryFolder();
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: project, encoding: 'utf8'}).stdout;
    const at = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], {cwd: project, encoding: 'utf8'});
    git('init', '--quiet', '--initial-branch=main');
    git('commit', '--quiet', '--allow-empty', '--message', 'a');
    const commit = git('rev-parse', 'HEAD').trim();
    const record = (name: string, attentionUs: number, dirty: string | null) => {
      const path = join(project, '.gpu-lens', 'runs', name);
      mkdirSync(path, {recursive: true});
      writeFileSync(join(path, 'train.json'), twoRangeSteps(attentionUs));
      const told = {name: 'train', command: ['python', 'train.py'], cwd: project, began: '2026-01-01T00:00:00.000Z'};
      const profiles = [{file: 'train.json', kind: 'steps', steps, rank: null}];
      const code = {ended: null, status: 0, commit, dirty, batch: null, profiles};
      writeFileSync(join(path, 'run.json'), JSON.stringify({version: 1, ...told, ...code}));
    };
    record('20260101-000001-train', 100, null);
    record('20260101-000002-train', 140, 'changed');
    const {stdout} = at('compare', 'commit:main', slower, '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({total: {beforeNs: 302_000, afterNs: 322_000, verdict: 'slower'}});
    git('commit', '--quiet', '--allow-empty', '--message', 'b');
    expect(at('compare', 'commit:HEAD', slower)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No run of commit') as string,
    });
    expect(at('compare', 'commit:--all', slower).stderr).toBe(`gpu-lens: git knows no commit "--all" in ${project}.\n`);
  });

  it('says that there are no shapes to match operators by', () => {
    const {status, stdout, stderr} = run('compare', base, slower, '--shapes');
    expect({status, stdout, stderr}).toEqual({
      status: 0,
      stdout: run('compare', base, slower).stdout,
      stderr: 'gpu-lens: A profile has no recorded shapes (record_shapes=True): operators are matched by name.\n',
    });
  });

  it('writes text, CSV and Markdown', () => {
    const [text, csv, markdown] = ['table', 'csv', 'markdown'].map(
      format => run('compare', base, slower, '--by', 'range', '--format', format).stdout,
    );
    expect(text).toMatch(
      /^Comparable\.\nGPU work a step: 302 µs before, 322 µs after; \+20\.0 µs ± .* \+6\.6 %: slower\.\n/,
    );
    expect(text).toContain('Not shown: 1 row without GPU work of its own.');
    expect(csv).toMatch(/^kind,path,beforeGpuWorkNs,afterGpuWorkNs,deltaNs,/);
    expect(csv?.split('\n')).toHaveLength(5);
    expect(markdown).toContain('| range | ProfilerStep#\\*/attention |');
  });

  it('writes a page of HTML, and refuses it for what has none', () => {
    const page = run('compare', base, slower, '--check', '--html');
    expect(page.status).toBe(3);
    expect(page.stdout).toContain('<h2>Flame graph of the change</h2>');
    expect(page.stdout).toMatch(/^<!DOCTYPE html>[^]*<h1>slower\.json compared with base\.json<\/h1>[^]*<\/html>\n$/);
    expect(page.stdout).toMatch(/<li>Budget &#34;.*: broken\./);
    expect(run('compare', base, slower, faster, '--html').stderr).toContain('--html compares two profiles');
    expect(run('compare', base, slower, '--html', '--format', 'csv').stderr).toContain('leave --format out');
  });

  it('gives a matrix of three files or more', () => {
    const {runs, rows} = json('compare', base, slower, faster, '--by', 'range') as {
      runs: Record<string, unknown>[];
      rows: Record<string, unknown>[];
    };
    expect(runs).toMatchObject([{file: base, per: 'step', gpuWorkNs: 302_000}, {file: slower}, {file: faster}]);
    expect(rows[0]).toEqual({
      ...{kind: 'range', path: 'ProfilerStep#*/attention', values: [101_000, 121_000, 91_000]},
      ...{best: 2, worst: 1},
    });
    expect(run('compare', base, slower, faster, '--by', 'range').stdout).toMatch(/91\.0 µs \(best\)/);
  });

  it('tells noise from other runs of the same code, which their folders name', () => {
    const output = temporaryFolder();
    const record = (at: string, commit: string, attentionUs: number): string => {
      const place = join(output, `20260101-0000${at}-train`);
      mkdirSync(place);
      const path = join(place, 'train.pt.trace.json');
      writeFileSync(path, twoRangeSteps(attentionUs));
      const began = `2026-01-01T00:00:${at}Z`;
      const told = {version: 1, name: 'train', command: ['python', 'train.py'], cwd: '/w', began, commit};
      writeFileSync(join(place, 'run.json'), JSON.stringify({...told, dirty: null, batch: null, profiles: []}));
      return path;
    };
    const [before, after] = [record('00', 'a', 100), record('01', 'b', 106)];
    record('02', 'a', 104);
    record('03', 'b', 102);
    const compared = (...more: string[]) =>
      json('compare', before, after, '--by', 'range', ...more) as {
        noise: object;
        rows: {path: string; verdict: string}[];
      };
    const verdictOf = ({rows}: ReturnType<typeof compared>) =>
      rows.find(({path}) => path.endsWith('attention'))?.verdict;
    const ofRuns = compared();
    expect(ofRuns.noise).toEqual({from: 'runs', baseRuns: 2, changedRuns: 2});
    expect(verdictOf(ofRuns)).toBe('same');
    expect(verdictOf(compared('--noise', 'steps'))).toBe('slower');
    expect(run('compare', before, after).stdout).toContain(
      'Noise: between the steps of a run and between 2 runs of the base and 2 runs of the changed code.',
    );
  });

  it('compares runs that were printed as tables, which prove nothing', () => {
    const table = (name: string, ms: number, calls: number) => {
      const path = join(folder, `${name}.txt`);
      const columns =
        ' Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Name';
      const rule = ' --------  ---------------  ---------  --------  --------  --------  --------  -----------  ----';
      const row = (work: number, count: number, kernel: string) =>
        `     50.0  ${String(work)}  ${String(count)}  1.0  1.0  1  1  0.0  ${kernel}`;
      const rows = [row(ms * 1e6, calls, 'volta_sgemm_128x64_tn'), row(1_000_000, 10, 'softmax_warp_forward')];
      const title = ' ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):';
      writeFileSync(path, [title, '', columns, rule, ...rows, ''].join('\n'));
      return path;
    };
    const [before, after] = [table('before', 8, 4), table('after', 6, 2)];
    const {comparable, total, rows} = json('compare', before, after, '--by', 'kernel') as Record<string, unknown>;
    expect(comparable).toMatchObject({verdict: 'partly', reasons: [{code: 'printed'}]});
    expect(total).toMatchObject({per: 'all', beforeNs: 9e6, afterNs: 7e6, deltaNs: -2e6, verdict: 'cannot tell'});
    expect(rows).toMatchObject([
      {path: 'volta_sgemm_128x64_tn', deltaNs: -2e6, callsDeltaNs: -4e6, perCallDeltaNs: 2e6, verdict: 'cannot tell'},
      {path: 'softmax_warp_forward', deltaNs: 0, verdict: 'same'},
    ]);
    expect(run('compare', before, after, '--check').status).toBe(4);
    expect(json('compare', before, after, before, '--by', 'class')).toMatchObject({
      runs: [{file: 'before.txt', gpuWorkNs: 9e6}, {}, {}],
      rows: [{path: 'matrix product', values: [8e6, 6e6, 8e6], best: 1}, {path: 'softmax'}],
    });
    expect(run('compare', before, base).stderr).toContain('is compared with other texts, not with profiles');
    expect(run('compare', before).status).toBe(2);
  });

  it('takes the selection of other commands', () => {
    const {total} = json('compare', base, slower, '--filter-nvtx', 'mlp') as {total: unknown};
    expect(total).toMatchObject({per: 'step', beforeNs: 201_000, deltaNs: 0, verdict: 'same'});
  });

  it.each([
    [[base], 'gpu-lens: compare needs two files or more: BASE CHANGED. See gpu-lens compare --help.\n'],
    [
      [base, slower, '--by', 'line'],
      'gpu-lens: --by takes range, module, op, class, kernel; not "line". See gpu-lens compare --help.\n',
    ],
    [
      [base, `${slower}#stop=1`],
      `gpu-lens: ${slower}#stop=1: only #step=N, with a whole number, or #window=FROM:TO, in ns, can follow a file's name. See gpu-lens compare --help.\n`,
    ],
  ])('refuses %j', (args, stderr) => {
    expect(run('compare', ...args)).toEqual({status: 2, stdout: '', stderr});
  });

  it('says which step is not there', () => {
    const {status, stderr} = run('compare', `${base}#step=99`, slower);
    expect({status, stderr}).toEqual({status: 1, stderr: 'gpu-lens: This profile has no step 99.\n'});
  });
});

describe('gpu-lens compare --check', () => {
  const budgets = (...texts: string[]): string => {
    const path = join(temporaryFolder(), 'budgets.json');
    writeFileSync(path, JSON.stringify({budgets: texts}));
    return path;
  };
  const check = (...args: string[]) => {
    const {status, stdout} = run('compare', ...args, '--by', 'range', '--format', 'json');
    const {budgets: results} = JSON.parse(stdout) as {budgets: {verdict: string; text: string; place: string}[]};
    return {status, results};
  };

  it.each<[string, number, string]>([
    ['attention <= 0.13 ms/step', 0, 'holds'],
    ['attention <= 130 µs/call', 0, 'holds'],
    ['attention <= 120 us/step', 3, 'broken'],
    ['range:attention <= 1.45 ms', 3, 'broken'],
    ['total <= 1 s', 0, 'holds'],
    ['total <= 300 us/step', 3, 'broken'],
    ['kernel:ge* <= 161 us/call', 0, 'holds'],
    ['class:matrix product <= 1 ns/call', 3, 'broken'],
    ['mlp no slower than main by 5 %', 0, 'holds'],
    ['attention no slower than main by 5 %', 3, 'broken'],
    ['attention no slower by 19.9 %', 4, 'cannot tell'],
    ['no slower than base by 10 %', 0, 'holds'],
    ['embedding <= 1 ms/step', 4, 'cannot tell'],
    ['op:aten::mm <= 1 ms/step', 4, 'cannot tell'],
    ['attention is fast', 4, 'cannot tell'],
  ])('%s: exit status %i', (budget, status, verdict) => {
    const found = check(base, slower, '--check', budgets(budget));
    expect({status: found.status, verdicts: found.results.map(result => result.verdict)}).toEqual({
      status,
      verdicts: [verdict],
    });
  });

  it('exits with 3 if any budget is broken, whatever cannot be told', () => {
    expect(check('--check', budgets('nothing <= 1 ms', 'attention <= 1 ns/step'), base, slower).status).toBe(3);
  });

  it('fails closed between runs that are not comparable', () => {
    const other = writeSteps('other', 10, 'H100');
    const first = writeSteps('first', 10, 'A100');
    const {status, results} = check(first, other, '--check', budgets('attention <= 1 s/step'));
    expect(status).toBe(4);
    expect(results[0]?.text).toMatch(/^The runs are not comparable\. The GPU models differ: A100 in the base/);
    expect(check(first, other, '--check').status).toBe(4);
  });

  it('wants a total that is not slower where no budget is written', () => {
    expect(check(base, slower, '--check').status).toBe(3);
    expect(check(base, faster, '--check').status).toBe(0);
    expect(check(`${base}#step=3`, `${slower}#step=3`, '--check').status).toBe(4);
  });

  it('reads comments of the source folder; behind a tag the name can be left out', () => {
    const source = temporaryFolder();
    const lines = [
      'from torch.profiler import record_function',
      'with record_function("attention"):  # gpu: <= 100 us/step',
      '    pass',
      '# gpu: mlp <= 1 ms/step',
      '# gpu: this is no budget',
    ];
    writeFileSync(join(source, 'train.py'), lines.join('\n'));
    const {status, results} = check(base, slower, '--check', '--source', source);
    expect(status).toBe(3);
    expect(results.map(({place, verdict}) => [place, verdict])).toEqual([
      ['train.py:2', 'broken'],
      ['train.py:4', 'holds'],
    ]);
  });

  it('takes .gpu-lens.json of the working directory', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.gpu-lens.json'), JSON.stringify({budgets: ['attention <= 1 ns/step']}));
    const {status} = spawnSync(process.execPath, [cli, 'compare', base, faster, '--check'], {cwd});
    expect(status).toBe(3);
  });

  it.each([
    ['has a comma too many', '{"budgets": ["attention <= 1 ns/step",]}'],
    ['is no object', '["attention <= 1 ns/step"]'],
    ['is too large', `{"budgets": ["attention <= 1 ns/step"], "more": "${'x'.repeat(1 << 20)}"}`],
  ])('does not pass where .gpu-lens.json %s', (_, text) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.gpu-lens.json'), text);
    const {status, stdout, stderr} = spawnSync(process.execPath, [cli, 'compare', base, faster, '--check'], {cwd});
    expect([status, String(stdout)]).toEqual([2, '']);
    expect(String(stderr)).toContain('.gpu-lens.json could not be read: it is not a JSON object of at most 1 MiB.');
    expect(spawnSync(process.execPath, [cli, 'compare', base, faster], {cwd}).status).toBe(0);
  });

  it('takes .gpu-lens.json without budgets as none', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.gpu-lens.json'), '{"dismissed": []}');
    expect(spawnSync(process.execPath, [cli, 'compare', base, faster, '--check'], {cwd}).status).toBe(0);
  });

  it('prints budgets above the table, and beside CSV on standard error', () => {
    const file = budgets('attention <= 1 ns/step');
    expect(run('compare', base, slower, '--check', file).stdout).toMatch(
      /\nBudget "attention <= 1 ns\/step" \(.*\): broken\. 121 µs a step; /,
    );
    expect(run('compare', base, slower, '--check', file, '--format', 'csv').stderr).toMatch(/^Budget .*: broken\./);
  });

  it('refuses a file of budgets that is not understood, and three profiles', () => {
    const path = join(temporaryFolder(), 'bad.json');
    writeFileSync(path, '{"budgets": {"attention": 12}}');
    expect(run('compare', base, slower, '--check', path)).toMatchObject({status: 2, stdout: ''});
    expect(run('compare', base, slower, faster, '--check')).toMatchObject({status: 2, stdout: ''});
    writeFileSync(path, '{"budgets": [');
    const {status, stderr} = run('compare', base, slower, path, '--check');
    expect([status, stderr]).toEqual([2, expect.stringContaining('a third file must be {"budgets": [')]);
  });
});
