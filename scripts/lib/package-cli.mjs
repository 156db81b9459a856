// Packs the command line for npm, without the extension: bundles, the runner, and a manual page made of the help.
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {npm} from './npm.mjs';
import {must, node24, out, root} from './run.mjs';

/** Files beside the bundles, as the command line finds them: from the package's folder. */
const besides = ['LICENSE', 'docs/metrics.md', 'docs/schema', 'src/runner'];

/** Builds and packs; returns the path of the .tgz, which lies in the folder. */
export async function packageCli(folder = out) {
  mkdirSync(out, {recursive: true});
  // Below the checkout, whose better-sqlite3 the bundles find.
  const stage = mkdtempSync(join(out, 'gpu-lens-cli-'));
  try {
    const {name, version} = await fill(stage);
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], {cwd: stage});
    return join(folder, `${name}-${version}.tgz`);
  } finally {
    rmSync(stage, {recursive: true, force: true});
  }
}

/** Makes what is packed; returns its manifest. */
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
    // What src/cli/right-node.ts asks for.
    engines: {node: '>=22.15.0'},
    files: readdirSync(stage),
    dependencies,
  };
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  const {stdout} = await must(node24, [join(dist, 'cli.cjs'), 'help', '--man'], {quiet: true});
  writeFileSync(join(stage, own.man), stdout);
  return own;
}

/** Of the runner, Python alone: no caches, no settings of tools. */
function isPacked(source) {
  return statSync(source).isDirectory()
    ? basename(source) !== '__pycache__'
    : /\.(json|md|py)$|LICENSE$/.test(source) && basename(source) !== 'README.md';
}

/** The page on the command line, as somebody who installed it reads it: the pages that it links are in the checkout. */
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
