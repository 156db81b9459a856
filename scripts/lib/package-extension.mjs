// Packs the extension for one platform, with only that platform's SQLite binary.
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {must, node24, once, out, root, say} from './run.mjs';
import {sourceState} from './source-state.mjs';

/** VS Code's names of platforms, with better-sqlite3's names of their binaries. */
const binaries = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'alpine-x64': 'linuxmusl-x64',
  'alpine-arm64': 'linuxmusl-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64',
  'win32-arm64': 'win32-arm64',
};

export const targets = Object.keys(binaries);

/** The target of this machine. */
export const hostTarget = `${process.platform}-${process.arch}`;

/** Returns the path of a target's package. */
function packagePath(target = hostTarget) {
  return join(out, `gpu-lens-${target}.vsix`);
}

/** Returns the path of this machine's package, which is built and packed again if any of its inputs has changed. */
export async function packageOnce() {
  const path = packagePath();
  const mark = join(out, '.packed');
  if (!existsSync(path) || !existsSync(join(root, 'dist', 'cli.cjs'))) rmSync(mark, {force: true});
  await once(mark, sourceState(), async () => {
    say('Building GPU Lens …');
    await packageExtension();
  });
  return path;
}

/** Builds and packs for one of `targets`; returns the path of the .vsix. */
export async function packageExtension(target = hostTarget) {
  await must(node24, ['esbuild.mjs', '--production'], {quiet: true});
  mkdirSync(out, {recursive: true});
  const ignoreFile = join(out, `vscodeignore-${target}`);
  writeFileSync(
    ignoreFile,
    `${readFileSync(join(root, '.vscodeignore'), 'utf8')}!node_modules/better-sqlite3/prebuilds/${binaries[target]}.node\n`,
  );
  const vsix = packagePath(target);
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  await must(
    node24,
    [
      vsce,
      'package',
      '--target',
      target,
      '--out',
      vsix,
      '--ignoreFile',
      ignoreFile,
      '--skip-license',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
    ],
    {quiet: true},
  );
  return vsix;
}
