// npm run test:long: the tests that take too long for `npm test` (test/README.md names them), and a bounded fuzz.
// The last line is "N passed, N failed, N skipped"; docs/testing.md gets a row.
import {ensureChromium} from './lib/chromium.mjs';
import {ensureCodeServer} from './lib/code-server.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {preflight, whyNoFolders, whyNoServer} from './lib/preflight.mjs';
import {check} from './lib/suite/checks.mjs';
import {appendRow, checkedOutCommit, inMinutes, nowUtc} from './lib/suite/run-record.mjs';
import {SuiteResult} from './lib/suite/suite-result.mjs';
import {runQuick, whyNoPrograms, whyNoProgramsIn} from './lib/suite/test-requirements.mjs';
import {clearReports, runPytest, runVitest} from './lib/suite/test-stages.mjs';
import {whyOtherSystem} from './lib/system.mjs';
import {ensureLongPackages, ensurePython, whyNoPython} from './lib/venv.mjs';

const fuzzed = ['--files', '3000', '--cuts', '100', '--seed', '1'];
const long = {GPU_LENS_LONG: '1'};
const startMs = performance.now();

await preflight(whyOtherSystem(), whyNoFolders(), whyNoServer(runQuick), whyNoPrograms(), whyNoProgramsIn());
await preflight(whyNoPython({isLong: true}));
await ensureChromium();
await ensureDependencies();
clearReports();
const commit = await checkedOutCommit();
const result = new SuiteResult();
await result.stage('build', () => check(result, 'build', ['esbuild.mjs']));
let python = null;
await result.stage('Python environment', async () => void (python = await ensurePython()));
if (python !== null) await result.stage('Python packages of long tests', ensureLongPackages);
await result.stage('long unit tests', () =>
  runVitest(result, 'long unit tests', [], {...long, ...(python === null ? {} : {GPU_LENS_PYTHON: python})}),
);
await result.stage('fuzz', () => check(result, `fuzz ${fuzzed.join(' ')}`, ['scripts/on-node.cjs', 'fuzz', ...fuzzed]));
if (python !== null) {
  await result.stage('long Python runner tests', () => runPytest(result, python, {isLong: true}));
}
await result.stage('long end-to-end tests', async () => {
  await ensureCodeServer();
  await runVitest(result, 'long end-to-end tests', ['--config', 'test/e2e/vitest.config.ts'], long);
});
const time = inMinutes((performance.now() - startMs) / 1000);
await appendRow('long', [nowUtc(), commit, time, result.lastLine]);
result.finish();
