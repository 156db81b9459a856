import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {beforeEach, describe, expect, it, type TestContext} from 'vitest';
import {json} from '../support/command-line.js';
import {patience} from '../support/patience.js';
import {project, temporaryFolder} from '../support/project.js';
import {skipTest} from '../support/skip-test.js';

const python = process.env['GPU_LENS_PYTHON'] ?? '';
const folder = temporaryFolder();
const gloo = join(project, 'test', 'fixtures', 'gloo');
const page = readFileSync(join(project, 'docs', 'job.md'), 'utf8');

/** The recipes of the page in a language, in their order. */
function recipes(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text);
}

/** Skips a test where the Python that GPU_LENS_PYTHON names lacks a package. */
function needs(context: TestContext, name: string): void {
  const code = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${name}') is None)`;
  const isThere = python !== '' && spawnSync(python, ['-c', code]).status === 0;
  if (!isThere) skipTest(context, `GPU_LENS_PYTHON names no Python with ${name}.`);
}

/** Runs a program in the folder, with this Node as `node`. */
function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const {status, stdout, stderr} = spawnSync(program, args, {
    ...{cwd: folder, encoding: 'utf8', timeout: 2 * patience.timeout},
    env: {...process.env, PATH: path, ...env},
  });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

const summaries = join(folder, 'summaries');
mkdirSync(join(folder, 'profiles'));
symlinkSync(join(project, 'dist'), join(folder, 'dist'));
for (const name of readdirSync(gloo).filter(one => one.includes('.pt.trace.json'))) {
  symlinkSync(join(gloo, name), join(folder, 'profiles', name));
}

beforeEach(() => {
  rmSync(summaries, {recursive: true, force: true});
});

describe('the recipes of docs/job.md', () => {
  it('summarize each profile in a task of a Slurm array', () => {
    const [script = ''] = recipes('bash');
    for (const task of ['0', '1', '2']) start('bash', ['-c', script], {SLURM_ARRAY_TASK_ID: task});
    expect(json('job', summaries)).toEqual(json('job', gloo));
  });

  it('summarize each profile in a task of Ray', context => {
    needs(context, 'ray');
    const [script = ''] = recipes('python');
    start(python, ['-c', script], {RAY_USAGE_STATS_ENABLED: '0', RAY_TMPDIR: folder});
    expect(json('job', summaries)).toEqual(json('job', gloo));
  });

  it('answer three questions with DuckDB', context => {
    needs(context, 'duckdb');
    mkdirSync(summaries);
    start(process.execPath, ['dist/cli.cjs', 'summarize', 'profiles', '-o', 'summaries']);
    const queries = recipes('sql');
    const ask = 'import duckdb, json, sys; print(json.dumps([duckdb.sql(q).fetchall() for q in json.load(sys.stdin)]))';
    const {stdout, status} = spawnSync(python, ['-c', ask], {
      cwd: folder,
      input: JSON.stringify(queries),
      encoding: 'utf8',
    });
    expect([status, queries.length]).toEqual([0, 3]);
    const [steps, ranges, collectives] = JSON.parse(stdout) as readonly (readonly (readonly unknown[])[])[];
    const job = json('job', gloo) as {
      readonly steps: readonly {readonly step: number; readonly slowestRank: number; readonly maxNs: number}[];
      readonly ranges: readonly {readonly name: string}[];
      readonly collectives: readonly {readonly name: string; readonly count: number}[];
    };
    expect(steps).toEqual(job.steps.map(({step, slowestRank, maxNs}) => [step, slowestRank, maxNs]));
    expect(new Set(job.ranges.map(({name}) => name))).toContain(String(ranges?.[0]?.[0]));
    const calls = new Map(job.collectives.map(({name, count}) => [name, count]));
    expect(collectives).toHaveLength(3 * calls.size);
    for (const [, name, count] of collectives ?? [])
      expect(Number(count)).toBeGreaterThanOrEqual(calls.get(String(name)) ?? Infinity);
  });
});
