// Installs the npm packages of the lockfile, when it has changed since the last time.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {must, node24, once, root, say} from './run.mjs';

/** Makes sure that node_modules is what the lockfile says. */
export async function ensureDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const version = existsSync(node24) ? lock : `${lock} incomplete`;
  await once(join(root, 'node_modules', '.gpu-lens-lock'), version, async () => {
    say('Installing dependencies …');
    await must('npm', ['ci', '--no-audit', '--no-fund'], {quiet: true});
  });
}
