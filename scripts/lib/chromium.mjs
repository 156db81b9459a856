// A Chromium for the tests: the one on PATH, or the system's package, which root may install.
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {run, say} from './run.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Flags that keep it from asking the network for anything. */
export const chromiumFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-color-profile=srgb'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars'],
];

/** The path of a Chromium; installs one where that can be done. Throws with the command that would install it. */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && onPath('apt-get')) {
    say('Installing Chromium …');
    await run('apt-get', ['update', '-qq'], {quiet: true});
    await run(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-liberation'],
      {
        quiet: true,
        env: {DEBIAN_FRONTEND: 'noninteractive'},
      },
    );
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Error(
    'The end-to-end tests need Chromium. Install it with "sudo apt-get install chromium" (Debian), or set GPU_LENS_CHROMIUM to the path of one.',
  );
}

function findChromium() {
  const named = process.env.GPU_LENS_CHROMIUM;
  if (named) return named;
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return names.map(onPath).find(Boolean) ?? (existsSync(mac) ? mac : null);
}

function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path));
}
