// The stages that run tests: vitest and pytest, with reports that read-reports.mjs reads.
import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {node24, out, root, run} from '../run.mjs';
import {readPytest, readVitest} from './read-reports.mjs';
import {testEnvironment} from './test-environment.mjs';
import {workersFor} from './workers.mjs';

const reports = join(out, 'test-reports');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
/**
 * Where V8 keeps what it compiled, for all Nodes of a run: tests start the command line many hundred times, and a start
 * then takes 0.15 s of processor time instead of 0.22 s.
 */
const compileCache = join(out, 'cache', 'compiled');
/** pytest's exit status if no test was selected. */
const nothingSelected = 5;

/** Removes the reports of earlier runs, and what was compiled of earlier builds. */
export function clearReports() {
  rmSync(compileCache, {recursive: true, force: true});
  rmSync(reports, {recursive: true, force: true});
  mkdirSync(reports, {recursive: true});
}

/** Runs vitest with more arguments (a config, files to leave out, files to run). */
export async function runVitest(result, name, args, env = {}) {
  const base = join(reports, name.replace(/\W+/g, '-'));
  const notes = `${base}.skips.json`;
  const reporters = ['default', 'json', './scripts/lib/suite/skip-reporter.mjs'].map(each => `--reporter=${each}`);
  const {status} = await run(node24, [vitest, 'run', ...args, ...reporters, `--outputFile.json=${base}.json`], {
    env: {...testEnvironment(), NO_COLOR: '1', NODE_COMPILE_CACHE: compileCache, GPU_LENS_SKIP_NOTES: notes, ...env},
  });
  result.add(name, readVitest(`${base}.json`, notes), status);
}

/** Runs pytest over `files`: those tests that are marked `long`, or those that are not. */
export async function runPytest(result, python, {isLong = false, files = ['test/runner']} = {}) {
  const report = join(reports, 'pytest.xml');
  const {status} = await run(
    python,
    [
      ...['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-rs', '-m', isLong ? 'long' : 'not long'],
      // Most of each test is spent waiting for torch's import in one process after another.
      // Many of the tests wait for processes: more workers than cores make use of that time.
      ...['-n', String(workersFor({perCore: 2, gib: 1.5})), `--junitxml=${report}`, ...files],
    ],
    {env: testEnvironment()},
  );
  const isEmpty = isLong && status === nothingSelected;
  result.add('Python runner tests', readPytest(report), isEmpty ? 0 : status);
}
