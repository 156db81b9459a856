// npm test: sets everything up, checks and tests everything. The last line is "N passed, N failed, N skipped".
//
// npm test -- --quick leaves out the runner's, the end-to-end and the slow unit tests (lib/suite/quick-files.mjs).
// npm test -- --changed runs what the changes since origin/main can reach (lib/suite/reached-*.mjs).
import {ensureChromium} from './lib/chromium.mjs';
import {ensureCodeServer} from './lib/code-server.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {preflight, whyNoFolders, whyNoServer} from './lib/preflight.mjs';
import {say} from './lib/run.mjs';
import {changeBase, changedSince} from './lib/suite/changed-files.mjs';
import {check, runPythonChecks, runSourceChecks} from './lib/suite/checks.mjs';
import {endToEndTestsOf} from './lib/suite/reached-end-to-end.mjs';
import {pythonTestsOf, unitTestsOf} from './lib/suite/reached-tests.mjs';
import {SuiteResult} from './lib/suite/suite-result.mjs';
import {runQuick, whyNoPrograms, whyNoProgramsIn} from './lib/suite/test-requirements.mjs';
import {clearReports, runPytest, runVitest} from './lib/suite/test-stages.mjs';
import {whyOtherSystem} from './lib/system.mjs';
import {ensurePython, whyNoPython} from './lib/venv.mjs';

const isQuick = process.argv.includes('--quick');
const isChanged = process.argv.includes('--changed');

await preflight(
  whyOtherSystem(),
  whyNoFolders(),
  ...(isQuick && !isChanged ? [] : [whyNoPrograms(), whyNoProgramsIn()]),
);
/** The tests to run: null for all of them, an empty list for none. */
const files = isChanged ? await reached() : {unit: null, python: isQuick ? [] : null, endToEnd: isQuick ? [] : null};
const has = list => list === null || list.length > 0;
const needsPython = !isQuick && (has(files.unit) || has(files.python) || has(files.endToEnd));

await preflight(has(files.endToEnd) ? whyNoServer(runQuick) : null);
if (needsPython) await preflight(whyNoPython());
if (has(files.endToEnd)) await ensureChromium();
const result = new SuiteResult();
await ensureDependencies();
clearReports();

await result.stage('checks of the source', () =>
  runSourceChecks(result, {mayTrustCache: isQuick || isChanged, packs: has(files.endToEnd)}),
);
// Some of the unit tests need a Python with torch, too.
let python = null;
if (needsPython) await result.stage('Python environment', async () => void (python = await ensurePython()));
if (isChanged) files.unit = await unitTestsOf(files.changed, files.base);
if (has(files.unit)) {
  const env = {...(python !== null && {GPU_LENS_PYTHON: python}), ...(isQuick && {GPU_LENS_QUICK: '1'})};
  await result.stage('unit and importer tests', () =>
    runVitest(result, 'unit and importer tests', files.unit ?? [], env),
  );
}
if (has(files.python) && python !== null) {
  await result.stage('Python runner tests', async () => {
    await runPythonChecks(result, python);
    await runPytest(result, python, {files: files.python ?? undefined});
  });
}
if (has(files.endToEnd)) {
  await result.stage('end-to-end tests', async () => {
    await ensureCodeServer();
    await check(result, 'npm start -- --check', ['scripts/on-node.cjs', 'start', '--check']);
    await runVitest(result, 'end-to-end tests', ['--config', 'test/e2e/vitest.config.ts', ...(files.endToEnd ?? [])]);
  });
}
result.finish();

/**
 * Returns the tests that the changes since origin/main can reach. The import graph is read later, when the dependencies
 * are installed.
 */
async function reached() {
  const base = await changeBase();
  const changed = await changedSince(base);
  say(`${changed.length} files differ from ${base.slice(0, 9)}.`);
  if (isQuick) return {base, changed, unit: null, python: [], endToEnd: []};
  return {base, changed, unit: null, python: pythonTestsOf(changed), endToEnd: endToEndTestsOf(changed)};
}
