// Packs the command line for npm, without the extension: bundles, the runner, and a manual page generated from the
// help.
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {npm} from './npm.mjs';
import {must, node24, out, root} from './run.mjs';

/** Further files, at the paths relative to the package's folder where the command line expects them. */
const besides = ['LICENSE', 'docs/metrics.md', 'docs/schema', 'src/runner'];

/** Builds and packs; returns the path of the .tgz in the folder. */
export async function packageCli(folder = out) {
  mkdirSync(out, {recursive: true});
  // Inside the checkout, so that the bundles find its better-sqlite3.
  const stage = mkdtempSync(join(out, 'gpu-lens-cli-'));
  try {
    const {name, version} = await fill(stage);
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], {cwd: stage});
    return join(folder, `${name}-${version}.tgz`);
  } finally {
    rmSync(stage, {recursive: true, force: true});
  }
}

/** Creates the contents of the package; returns its manifest. */
async function fill(stage) {
  const {version, license, keywords, dependencies, bin} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(join(stage, 'man'));
  const dist = join(stage, 'dist');
  await must(node24, ['esbuild.mjs', '--production', '--cli', '--outdir', dist], {quiet: true});
  for (const path of besides) cpSync(join(root, path), join(stage, path), {recursive: true, filter: isPacked});
  writeFileSync(join(stage, 'README.md'), readme());
  const own = {
    name: 'gpu-lens',
    version,
    description: 'Shows where the time of a GPU goes in profiles of PyTorch and Nsight Systems, on the command line',
    license,
    keywords,
    bin,
    man: 'man/gpu-lens.1',
    // The version that src/cli/right-node.ts requires.
    engines: {node: '>=22.15.0'},
    files: readdirSync(stage),
    dependencies,
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  const {stdout} = await must(node24, [join(dist, 'cli.cjs'), 'help', '--man'], {quiet: true});
  writeFileSync(join(stage, own.man), stdout);
  return own;
}

/** Of the runner, only Python files: no caches or tool settings. */
function isPacked(source) {
  return statSync(source).isDirectory()
    ? basename(source) !== '__pycache__'
    : /\.(json|md|py)$|LICENSE$/.test(source) && basename(source) !== 'README.md';
}

/** Returns the page on the command line for users who installed it: the pages that it links to are in the checkout. */
function readme() {
  return readFileSync(join(root, 'docs', 'command-line.md'), 'utf8')
    .replace('# Command line', '# gpu-lens')
    .replace(/^In a checkout, .*\n\n/gm, '')
    .replaceAll(/(node )?dist\/cli\.cjs/g, 'gpu-lens')
    .replace(/^See \[.*\n/m, '')
    .replaceAll(/ \([\w-]+\.md\)$/gm, '')
    .replaceAll('(schema/', '(docs/schema/')
    .replaceAll(/\[([^\]]+)\]\([\w-]+\.md\)/g, '$1');
}
