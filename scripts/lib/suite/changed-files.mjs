// What a change can reach: for `npm test -- --changed`.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {node24, root, run} from '../run.mjs';

/** End-to-end tests of one webview or program, by the folder of its source. Other sources reach all of them. */
const endToEndOf = [
  [/^webview\/flame\//, /flame|speedscope|sample|view-pages/],
  [/^webview\/timeline\//, /timeline|sample|scope|large|pictures|files|view-pages/],
  [/^webview\/tables\//, /tables|sample|view-pages/],
  [/^webview\/benchmark\//, /benchmark|view-pages/],
  [/^webview\/roofline\//, /roofline|view-pages/],
  [/^webview\/query\//, /query|view-pages/],
  [/^webview\/summary\//, /summary|view-pages/],
];
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

/** Paths that differ from a commit, uncommitted and untracked ones included. */
export async function changedSince(base) {
  const lists = await Promise.all([
    run('git', ['diff', '--name-only', base], {quiet: true}),
    run('git', ['ls-files', '--others', '--exclude-standard'], {quiet: true}),
  ]);
  return lists.flatMap(({stdout}) => stdout.split('\n').filter(Boolean));
}

/** The unit tests that import a changed file, and those that run what is built from one. */
export async function unitTestsOf(changed, base) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listed = await run(node24, [vitest, 'list', '--filesOnly', '--changed', base], {quiet: true});
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
  const python = changed.filter(path => /^(src|test)\/runner\//.test(path));
  const isTest = path => /^test\/runner\/test_\w+\.py$/.test(path);
  return python.every(isTest) ? python : ['test/runner'];
}

/** The end-to-end files that a change can reach. */
export function endToEndTestsOf(changed) {
  const all = readdirSync(join(root, 'test', 'e2e')).filter(name => /(?<!\.long)\.e2e\.ts$/.test(name));
  const reached = changed.flatMap(path => {
    if (/^test\/e2e\/[\w.-]+\.e2e\.ts$/.test(path)) return [path.slice('test/e2e/'.length)];
    if (/^scripts\/lib\/(code-server\.mjs|login-texts\.json)$/.test(path)) return ['code-server.e2e.ts'];
    if (!/^(src|webview|test\/e2e|media|package\.json|esbuild\.mjs)/.test(path)) return [];
    const names = endToEndOf.find(([from]) => from.test(path))?.[1];
    return names ? all.filter(name => names.test(name)) : all;
  });
  return [...new Set(reached)].filter(name => all.includes(name)).map(name => `test/e2e/${name}`);
}
