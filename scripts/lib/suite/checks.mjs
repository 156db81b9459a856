// The checks of the source text: programs that pass or fail as a whole.
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {node24, out, root, run} from '../run.mjs';

const bin = name => join(root, 'node_modules', ...name.split('/'));
const cache = join(out, 'cache');

/**
 * The checks, the longest first. Prettier's cache goes by content. ESLint's cache does too, but rules that use types
 * also depend on other files: only runs that `mayTrustCache` use it. A run that `packs` packs the extension while `out`
 * has few files: vsce looks through all of them.
 */
function sourceChecks({mayTrustCache, packs}) {
  const cached = ['--cache', '--cache-strategy', 'content', '--cache-location'];
  const lintCache = mayTrustCache ? [...cached, join(cache, 'eslint')] : [];
  return [
    ['lint', [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0', ...lintCache]],
    ['types', [bin('typescript/bin/tsc6'), '-b']],
    ['formatting', [bin('prettier/bin/prettier.cjs'), '--check', '.', ...cached, join(cache, 'prettier')]],
    [
      'layers',
      [
        bin('dependency-cruiser/bin/dependency-cruise.mjs'),
        ...['src', 'webview', 'test', '--config', '.dependency-cruiser.cjs'],
      ],
    ],
    ['unused exports and files', [bin('knip/bin/knip.js'), '--no-progress']],
    packs ? ['package and build', ['scripts/lib/suite/package-and-build.mjs']] : ['build', ['esbuild.mjs']],
  ];
}

/** Runs the checks of the source text, as many at once as the machine has cores. */
export async function runSourceChecks(result, options) {
  const left = sourceChecks(options);
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await check(result, ...next);
  };
  await Promise.all(Array.from({length: availableParallelism()}, worker));
}

/** Runs ruff over the Python files. */
export async function runPythonChecks(result, python) {
  const files = ['--config', 'src/runner/pyproject.toml', 'src/runner', 'test/runner'];
  await check(result, 'Python formatting', ['-m', 'ruff', 'format', '--check', ...files], python);
  await check(result, 'Python lint', ['-m', 'ruff', 'check', ...files], python);
}

/** Runs one program, and shows its output only if it fails. */
export async function check(result, name, args, program = node24) {
  const {status, output} = await run(program, args, {quiet: true});
  result.check(name, status === 0);
  if (status !== 0) process.stdout.write(output);
}
