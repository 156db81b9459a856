// A Chromium for the tests: the one on PATH, or the system's package, which root may install.
import {existsSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {run, say} from './run.mjs';
import {SetupError} from './setup-error.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Flags that prevent network requests. */
export const chromiumFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-color-profile=srgb'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars'],
];

/** Returns the path of a Chromium; installs one if possible, else throws with the command that would install it. */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && onPath('apt-get')) {
    say('Installing Chromium …');
    await run('apt-get', ['update', '-qq'], {quiet: true});
    const {status, output} = await run(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-liberation'],
      {
        quiet: true,
        env: {DEBIAN_FRONTEND: 'noninteractive'},
      },
    );
    const installed = await findChromium();
    if (installed) return installed;
    if (status !== 0) say(`apt-get could not: ${output.trimEnd().split('\n').at(-1)}`);
  }
  const source =
    process.platform === 'linux'
      ? ', as with "sudo apt-get install chromium" (Debian) or from https://www.google.com/chrome (Ubuntu)'
      : ' from https://www.google.com/chrome';
  throw new SetupError(
    `The check in the browser needs Chromium or Chrome: install it${source}, set GPU_LENS_CHROMIUM to its path, or run "npm test -- --quick", which does without.`,
  );
}

async function findChromium() {
  const named = process.env.GPU_LENS_CHROMIUM;
  if (!named) {
    for (const path of names.map(onPath).filter(Boolean)) if (await starts(path)) return path;
    for (const path of usualPlaces().filter(place => existsSync(place))) if (await starts(path)) return path;
    return null;
  }
  if (existsSync(named) && (await starts(named))) return named;
  const fault = existsSync(named) ? 'does not start' : 'is not there';
  throw new SetupError(`GPU_LENS_CHROMIUM names ${named}, which ${fault}: name a Chromium or Chrome, or unset it.`);
}

/** Returns whether a program has its libraries, and is more than Ubuntu's stub, which asks for a snap. */
async function starts(path) {
  // On Windows, `--version` opens a window.
  if (process.platform === 'win32') return true;
  const {status} = await run(path, ['--version'], {quiet: true}).catch(() => ({status: 1}));
  return status === 0;
}

/** Paths of Chrome and Edge on macOS and Windows, where they are not on PATH. */
function usualPlaces() {
  const windows = [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .flatMap(folder => [
      join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]);
  return ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', ...windows];
}

function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path));
}
