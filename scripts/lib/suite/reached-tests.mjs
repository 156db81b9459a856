// The unit tests and the tests of the runner that a change can reach: for `npm test -- --changed`.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {node24, root, run} from '../run.mjs';
import {SetupError} from '../setup-error.mjs';
import {filesBelow, textsOf} from './test-texts.mjs';

/** Read sources, documents and scripts of any folder. */
const readAll = ['test/package', 'test/scripts'];
/** Tests that run what is built of a source, by folders or by what is in their text. */
const ofBundles = [
  [/^src\/(?!host\/)|^esbuild\.mjs$/, /command-line\.js'|cli\.cjs|'dist'/],
  [/^src\/(engine|core|importers|parquet|protocol|source|scanner)\/|^esbuild\.mjs$/, ['test/engine', 'test/importers']],
  [/^src\/(sql|core|importers)\//, ['test/sql']],
  [/^(src\/runner|scripts)\//, ['test/launch']],
];
/** What all tests of the runner run with. */
const reachesRunner = /^(src\/runner|test\/(runner|programs))\/|^scripts\/lib\/(venv|pip)\.mjs$/;
/** Tests of the runner that read other files, or run what is built from them. */
const ofRunner = [
  [/^(src|media\/sample)\/|^(package\.json|esbuild\.mjs)$/, 'test/runner/test_package.py'],
  [/^test\/fixtures\//, 'test/runner/test_flop_counter.py'],
];
/** Files that tests read, with the folder of the project or of the tests that they name. */
const data = /^(?:test\/)?(media|docs|l10n|(?<=test\/)[\w-]+)\/.*(?<!\.ts)$/;

/** The unit tests that import a changed file, and those that read it, or run what is built from it. */
export async function unitTestsOf(changed, base) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listed = await run(node24, [vitest, 'list', '--filesOnly', '--changed', base], {quiet: true});
  if (listed.status !== 0)
    throw new SetupError(`Vitest does not list what a change reaches:\n${listed.output.trimEnd()}`);
  return [...new Set([...relatedFiles(listed.stdout), ...readersOf(changed)])];
}

/** The files that `vitest list --filesOnly` prints, each after the name of its project. */
export function relatedFiles(listed) {
  const lines = listed.split('\n').map(line => line.replace(/^\[\w+\] /, ''));
  return lines.filter(line => line.endsWith('.test.ts'));
}

/**
 * The unit tests, as files or folders, that reach a change in another way than by an import: they read the file, or run
 * what is built from it.
 */
export function readersOf(changed) {
  if (changed.length === 0) return [];
  const bundles = ofBundles.filter(([from]) => changed.some(path => from.test(path))).map(([, to]) => to);
  const read = [...new Set(changed.map(path => data.exec(path)?.[1]).filter(Boolean))];
  const patterns = [...bundles.filter(to => to instanceof RegExp), ...read.map(name => new RegExp(`['/]${name}['/]`))];
  const own = read.map(name => `test/${name}`).filter(folder => existsSync(join(root, folder)));
  const tests = patterns.length === 0 ? [] : filesBelow('test').filter(path => path.endsWith('.test.ts'));
  const naming = tests.filter(path => textsOf(path).some(text => patterns.some(pattern => pattern.test(text))));
  return [...new Set([...readAll, ...bundles.filter(Array.isArray).flat(), ...own, ...naming])];
}

/** The pytest files that changed or read what did, or the whole folder if the runner or what its tests share did. */
export function pythonTestsOf(changed) {
  const own = changed.filter(path => reachesRunner.test(path));
  if (!own.every(path => /^test\/runner\/test_\w+\.py$/.test(path))) return ['test/runner'];
  const readers = ofRunner.filter(([from]) => changed.some(path => from.test(path))).map(([, to]) => to);
  return [...new Set([...own, ...readers])].filter(path => existsSync(join(root, path)));
}
