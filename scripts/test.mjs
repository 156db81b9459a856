// npm test: sets everything up, checks and tests everything. The last line is "N passed, N failed, N skipped".
//
// npm test -- --quick leaves out the runner's and the end-to-end tests.
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {ensureChromium} from './lib/chromium.mjs';
import {ensureCodeServer} from './lib/code-server.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {preflight, whyNoFolders} from './lib/preflight.mjs';
import {node24, out, root, run, say} from './lib/run.mjs';
import {ensurePython, whyNoPython} from './lib/venv.mjs';

const isQuick = process.argv.includes('--quick');
const reports = join(out, 'test-reports');
const totals = {passed: 0, failed: 0, skipped: 0};
const failures = [];

await preflight(whyNoFolders(), isQuick ? null : whyNoPython());
if (!isQuick) await ensureChromium();
await ensureDependencies();
rmSync(reports, {recursive: true, force: true});
mkdirSync(reports, {recursive: true});

const bin = name => join(root, 'node_modules', ...name.split('/'));
await check('formatting', [bin('prettier/bin/prettier.cjs'), '--check', '.']);
await check('types', [bin('typescript/bin/tsc6'), '-b']);
await check('lint', [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0']);
await check('layers', [
  bin('dependency-cruiser/bin/dependency-cruise.mjs'),
  'src',
  'webview',
  'test',
  '--config',
  '.dependency-cruiser.cjs',
]);
await check('build', ['esbuild.mjs']);
// Some of the unit tests want a Python with torch, too.
let python = null;
if (!isQuick) await section('Python', async () => void (python = await ensurePython()));
await vitest('unit and importer tests', [], python === null ? {} : {GPU_LENS_PYTHON: python});
if (!isQuick) {
  await section('Python runner', async () => {
    if (python === null) return;
    await check(
      'Python formatting',
      ['-m', 'ruff', 'format', '--check', '--config', 'src/runner/pyproject.toml', 'src/runner', 'test/runner'],
      python,
    );
    await check(
      'Python lint',
      ['-m', 'ruff', 'check', '--config', 'src/runner/pyproject.toml', 'src/runner', 'test/runner'],
      python,
    );
    await pytest(python);
  });
  await section('end-to-end tests', async () => {
    await ensureCodeServer();
    await check('npm start -- --check', ['scripts/on-node.cjs', 'start', '--check']);
    await vitest('end-to-end tests', ['--config', 'test/e2e/vitest.config.ts']);
  });
}

if (failures.length > 0) say(`\nFailed: ${failures.join('; ')}`);
say(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed > 0 ? 1 : 0;

/** One program that passes or fails as a whole. */
async function check(name, args, program = node24) {
  const {status, output} = await run(program, args, {quiet: true});
  record(name, status === 0);
  if (status !== 0) process.stdout.write(output);
}

/** What cannot be set up fails, with the sentence that says how to mend it. */
async function section(name, steps) {
  try {
    await steps();
  } catch (error) {
    record(`${name}: ${error.message}`, false);
  }
}

async function vitest(name, args, env = {}) {
  const report = join(reports, `${name.replace(/\W+/g, '-')}.json`);
  const {status} = await run(
    node24,
    [bin('vitest/vitest.mjs'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      env: {NO_COLOR: '1', ...env},
    },
  );
  const {numPassedTests = 0, numFailedTests = 0, numPendingTests = 0} = readReport(report);
  add(name, numPassedTests, numFailedTests, numPendingTests, status);
}

async function pytest(python) {
  const report = join(reports, 'pytest.xml');
  const {status} = await run(python, [
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    '-rs',
    // Most of each test is spent waiting for torch's import in one process after another.
    '-n',
    String(availableParallelism()),
    `--junitxml=${report}`,
    'test/runner',
  ]);
  const text = readText(report);
  const number = key => Number(new RegExp(`<testsuite [^>]*${key}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = number('failures') + number('errors');
  add('Python runner tests', number('tests') - failed - number('skipped'), failed, number('skipped'), status);
}

/** A run that failed without a failed test (it could not even be loaded) counts as one failure. */
function add(name, passed, failed, skipped, status) {
  const failedAtLeast = status === 0 ? failed : Math.max(1, failed);
  totals.passed += passed;
  totals.failed += failedAtLeast;
  totals.skipped += skipped;
  if (failedAtLeast > 0) failures.push(name);
}

function record(name, isGood) {
  say(`${isGood ? 'ok' : 'FAILED'}: ${name}`);
  add(name, isGood ? 1 : 0, isGood ? 0 : 1, 0, 0);
  if (!isGood && !failures.includes(name)) failures.push(name);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
