// What a change can reach: for `npm test -- --changed`.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {node24, root, run} from '../run.mjs';
import {SetupError} from '../setup-error.mjs';

const endToEnd = join(root, 'test', 'e2e');
/** What all end-to-end tests run with. */
const reachesEndToEnd =
  /^(src|webview|test\/(e2e|support)|media|l10n)\/|^(package(-lock|\.nls[\w.-]*)?\.json|esbuild\.mjs)$/;
/** Sources that tests reach through what esbuild builds, which the import graph does not show. */
const builtTests = [
  [/^src\/(cli|core|importers|launch|parquet|scanner|sql|source|runner)\//, ['test/cli']],
  [/^src\/(engine|core|importers|parquet|protocol|source|scanner)\//, ['test/engine', 'test/importers']],
  [/^src\/(sql|core|importers)\//, ['test/sql']],
  [/^(src\/runner|scripts)\//, ['test/launch', 'test/scripts', 'test/package']],
  [/^test\/fixtures\//, ['test/importers', 'test/launch', 'test/cli', 'test/core']],
  [/\.(md|ya?ml|json|mjs|cjs)$/, ['test/package', 'test/scripts']],
];

/** The commit to compare with: where the branch left origin/main, or HEAD if there is no such branch. */
export async function changeBase() {
  const {status, stdout} = await run('git', ['merge-base', 'HEAD', 'origin/main'], {quiet: true});
  return status === 0 ? stdout.trim() : 'HEAD';
}

/**
 * Paths that differ from a commit, uncommitted and untracked ones included.
 *
 * @throws SetupError with git's message where it cannot say, as in a copy without a repository
 */
export async function changedSince(base, folder = root) {
  const lists = await Promise.all([
    gitLines(folder, ['diff', '--name-only', base]),
    gitLines(folder, ['ls-files', '--others', '--exclude-standard']),
  ]);
  return lists.flat();
}

async function gitLines(cwd, args) {
  const {status, stdout, output} = await run('git', args, {quiet: true, cwd});
  if (status === 0) return stdout.split('\n').filter(Boolean);
  const said = output.split('\n').find(line => /^(fatal|error|warning): /.test(line)) ?? `status ${status}`;
  throw new SetupError(`git does not say what has changed (${said}): run "npm test" without --changed.`);
}

/** The unit tests that import a changed file, and those that run what is built from one. */
export async function unitTestsOf(changed, base) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listed = await run(node24, [vitest, 'list', '--filesOnly', '--changed', base], {quiet: true});
  if (listed.status !== 0)
    throw new SetupError(`Vitest does not list what a change reaches:\n${listed.output.trimEnd()}`);
  const related = relatedFiles(listed.stdout);
  const built = builtTests.filter(([from]) => changed.some(path => from.test(path))).flatMap(([, to]) => to);
  return [...new Set([...related, ...built])];
}

/** The files that `vitest list --filesOnly` prints, each after the name of its project. */
export function relatedFiles(listed) {
  const lines = listed.split('\n').map(line => line.replace(/^\[\w+\] /, ''));
  return lines.filter(line => line.endsWith('.test.ts'));
}

/** The pytest files that changed, or the whole folder if the runner or what its tests share did. */
export function pythonTestsOf(changed) {
  const python = changed.filter(path => /^(src\/runner|test\/(runner|programs))\//.test(path));
  const isTest = path => /^test\/runner\/test_\w+\.py$/.test(path);
  return python.every(isTest) ? python : ['test/runner'];
}

/** The end-to-end files that a change can reach. */
export function endToEndTestsOf(changed) {
  const all = readdirSync(endToEnd).filter(name => /(?<!\.long)\.e2e\.ts$/.test(name));
  const reached = changed.flatMap(path => {
    if (/^test\/e2e\/[\w.-]+\.e2e\.ts$/.test(path)) return [path.slice('test/e2e/'.length)];
    if (/^scripts\/lib\/(code-server\.mjs|login-texts\.json)$/.test(path)) return ['code-server.e2e.ts'];
    if (!reachesEndToEnd.test(path)) return [];
    const view = /^webview\/(?!shared\/)([\w-]+)\//.exec(path)?.[1];
    return view === undefined ? all : all.filter(name => namesView(name, view));
  });
  return [...new Set(reached)].filter(name => all.includes(name)).map(name => `test/e2e/${name}`);
}

/**
 * Returns whether the text of an end-to-end test, or of a helper that it imports, has the name of a view, as in "GPU
 * Flame Graph". The helper for the workbench has the titles of all views, and one test opens the page of each.
 */
function namesView(name, view) {
  if (name === 'view-pages.e2e.ts') return true;
  const text = readFileSync(join(endToEnd, name), 'utf8');
  const helpers = [...text.matchAll(/ from '\.\/(support\/(?!workbench\.)[\w-]+)\.js'/g)].map(([, path]) => path);
  const texts = [text, ...helpers.map(path => readFileSync(join(endToEnd, `${path}.ts`), 'utf8'))];
  return texts.some(one => one.toLowerCase().includes(view));
}
