import {spawn, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {cli, run as runCommand} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const trace = join(temporaryFolder(), 'trace.json');
writeFileSync(
  trace,
  kinetoText([
    kineto.range('step, "one"', 0, 100),
    kineto.call(9, 20, 5),
    kineto.kernel(9, 30, 40),
    kineto.kernel(10, 80, 7),
  ]),
);

const run = (...args: string[]) => runCommand('query', ...args);
const byRange = 'SELECT range_name, count(*) AS kernels, sum(duration_ns) AS gpu_work_ns FROM kernels GROUP BY 1';
const endless = 'WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT ';

describe('gpu-lens query', () => {
  it('has the lines that the runner noted beside the profile', () => {
    const path = join(temporaryFolder(), 'recorded.json');
    writeFileSync(path, kinetoText([kineto.range('forward', 0, 100), kineto.call(1, 20, 5), kineto.kernel(1, 30, 40)]));
    const sites = [{name: 'forward', file: 'train.py', line: 3, count: 1}];
    writeFileSync(path.replace('.json', '.meta.json'), JSON.stringify({sites}));
    const sql = 'SELECT l.file, l.line, r.gpu_work_ns FROM lines l JOIN ranges r USING (name)';
    expect(JSON.parse(run(path, sql, '--format', 'json').stdout)).toEqual([
      {file: 'train.py', line: 3, gpu_work_ns: 40_000},
    ]);
  });

  it('lists the tables with a row for each column in the formats that programs read', () => {
    const as = (format: string) => run('--tables', '--format', format).stdout;
    const rows = JSON.parse(as('json')) as {table: string; column: string; column_about: string}[];
    expect(rows.find(({table, column}) => table === 'kernels' && column === 'duration_ns')?.column_about).toMatch(/\w/);
    // Every table that is named can be asked, with these columns.
    const ofKernels = rows.filter(({table}) => table === 'kernels').map(({column}) => column);
    const [kernel] = JSON.parse(run(trace, 'SELECT * FROM kernels LIMIT 1', '--format', 'json').stdout) as object[];
    expect(Object.keys(kernel ?? {})).toEqual(ofKernels);
    expect(as('csv')).toMatch(/^table,table_about,column,column_about\n/);
    expect(as('markdown')).toMatch(/^\| table \| table_about \|/);
    expect(as('table')).toBe(run('--tables').stdout);
  });

  it('gives rows as a table, JSON, CSV and Markdown', () => {
    expect(run(trace, byRange)).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'range_name   kernels  gpu_work_ns\n                   1         7000\nstep, "one"        1        40000\n',
    });
    expect(JSON.parse(run(trace, byRange, '--format', 'json').stdout)).toEqual([
      {range_name: null, kernels: 1, gpu_work_ns: 7000},
      {range_name: 'step, "one"', kernels: 1, gpu_work_ns: 40_000},
    ]);
    expect(run(trace, byRange, '--format', 'csv').stdout).toBe(
      'range_name,kernels,gpu_work_ns\n,1,7000\n"step, ""one""",1,40000\n',
    );
    expect(run(trace, byRange, '--format', 'markdown').stdout).toBe(
      '| range_name | kernels | gpu_work_ns |\n| --- | ---: | ---: |\n|  | 1 | 7000 |\n| step, "one" | 1 | 40000 |\n',
    );
  });

  it('gives the head alone, or an empty array, where there is no row', () => {
    const none = 'SELECT name FROM kernels WHERE 0';
    expect(run(trace, none, '--format', 'csv').stdout).toBe('name\n');
    expect(run(trace, none, '--format', 'json').stdout).toBe('[]\n');
  });

  it('gives the first rows with --limit, and says how many there are', () => {
    expect(run(trace, 'SELECT id FROM kernels', '--limit', '1', '--format', 'csv')).toEqual({
      status: 0,
      stdout: 'id\n0\n',
      stderr: 'Note: These are the first 1 of 2 rows.\n',
    });
  });

  it('keeps control characters out of a terminal', () => {
    expect(run(trace, "SELECT 'a' || char(27) || '[31m' AS text").stdout).toBe('text\na [31m\n');
  });

  it('ends with 1 and one sentence where the query or the file is wrong, and with 2 for wrong usage', () => {
    const table = {status: 1, stdout: '', stderr: 'gpu-lens: There is no table "kernel": did you mean kernels?\n'};
    expect(run(trace, 'SELECT * FROM kernel')).toEqual(table);
    expect(run(trace, 'DROP TABLE slices').status).toBe(1);
    expect(run(`${trace}.none`, 'SELECT 1')).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: trace.json.none does not exist.\n',
    });
    for (const args of [[], [trace], [trace, 'SELECT 1', 'SELECT 2'], [trace, 'SELECT 1', '--limit', 'x']]) {
      expect(run(...args).status).toBe(2);
    }
  });

  it('prints the tables', () => {
    expect(run('--tables').stdout).toContain('kernels: Kernels, with the range');
  });

  it('streams rows that never end, and stops without a word when nobody reads them', () => {
    const line = '{ "$0" "$1" query "$2" "$3" --format csv; echo "status $?" >&2; } | head -n 3';
    const {stdout, stderr} = spawnSync('sh', ['-c', line, process.execPath, cli, trace, `${endless}x FROM a`], {
      encoding: 'utf8',
    });
    expect({stdout, stderr}).toEqual({stdout: 'x\n1\n2\n', stderr: 'status 0\n'});
  });

  it('leaves no process behind when it is ended, even by force', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const child = spawn(process.execPath, [cli, 'query', trace, `${endless}max(x) FROM a`], {stdio: 'ignore'});
      const ended = new Promise(resolve => child.once('exit', resolve));
      await expect.poll(() => childrenOf(child.pid)).toHaveLength(1);
      const [query] = childrenOf(child.pid);
      // It runs, and so does the thread that watches.
      await expect.poll(() => cpuSeconds(query)).toBeGreaterThan(0);
      child.kill(signal);
      await ended;
      await expect.poll(() => isRunning(Number(query))).toBe(false);
    }
  });
});

/** The processor time of a process so far. */
function cpuSeconds(pid: string | undefined): number {
  return Number(spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)], {encoding: 'utf8'}).stdout);
}

function childrenOf(pid: number | undefined): string[] {
  const {stdout} = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], {encoding: 'utf8'});
  return stdout
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function isRunning(pid: number): boolean {
  const {stdout} = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {encoding: 'utf8'});
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
