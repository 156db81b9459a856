// npm start: opens VS Code with GPU Lens and the sample project.
//
// The desktop's VS Code where `code` is on PATH, else VS Code in the browser on 127.0.0.1, behind a password.
// npm start -- --browser   always in the browser
// npm start -- --check     in the browser, headless: sees the extension work, and ends
import {cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import {join} from 'node:path';
import {addressHint} from './lib/address-hint.mjs';
import {ensureChromium} from './lib/chromium.mjs';
import {
  ensureCodeServer,
  installExtension,
  quietSettings,
  startCodeServer,
  writeUserSettings,
} from './lib/code-server.mjs';
import {ensureDependencies} from './lib/dependencies.mjs';
import {openDesktop, profileName} from './lib/desktop.mjs';
import {packageOnce} from './lib/package-extension.mjs';
import {desktopVersion, preflight, requiredVscode, whyNoFolders, whyNoServer, whyOldDesktop} from './lib/preflight.mjs';
import {out, root, say} from './lib/run.mjs';
import {whyOtherSystem} from './lib/system.mjs';

const isCheck = process.argv.includes('--check');
const isBrowser = isCheck || process.argv.includes('--browser');

const desktop = isBrowser ? null : await desktopVersion();
const onWindows = `run "npm start" without options in a terminal of the desktop, with VS Code ${requiredVscode()} or later and its command "code" on PATH`;
// By itself, a signal ends Node without its listeners of 'exit', which remove folders and end the server.
if (isCheck) {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
await preflight(whyOtherSystem(), whyNoFolders(), desktop === null ? whyNoServer(onWindows) : whyOldDesktop(desktop));
if (isCheck) await ensureChromium();
await ensureDependencies();
const vsix = await packageOnce();
const sample = copySample();

if (desktop === null) await startBrowser();
else await startDesktop();

/** The user's changes in the copy stay, except in files that are newer in the project. */
function copySample() {
  const folder = isCheck ? temporaryFolder('gpu-lens-sample-') : join(out, 'sample');
  const isNewer = (from, to) =>
    !existsSync(to) || statSync(from).isDirectory() || statSync(from).mtimeMs > statSync(to).mtimeMs;
  cpSync(join(root, 'media', 'sample'), folder, {recursive: true, filter: isNewer});
  return folder;
}

/** Makes a folder that is removed when this script ends, also by a signal. */
function temporaryFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
  return folder;
}

async function startDesktop() {
  await openDesktop(vsix, sample);
  say(
    `VS Code opens ${sample} with GPU Lens, in a profile "${profileName}" of its own: your other windows stay as they are.\n` +
      `To remove GPU Lens again, run "Open Profiles (UI)" from the command palette and delete that profile.`,
  );
}

async function startBrowser() {
  await ensureCodeServer();
  const home = isCheck ? temporaryFolder('gpu-lens-check-') : join(out, 'vscode');
  const folders = {userData: join(home, 'user'), extensions: join(home, 'extensions')};
  mkdirSync(home, {recursive: true});
  writeUserSettings(folders, quietSettings);
  await installExtension(vsix, folders);
  const server = await startCodeServer(folders);
  const url = `${server.url}?folder=${encodeURIComponent(sample)}`;
  try {
    if (isCheck) {
      // Loaded here, because only the check needs a browser of its own.
      const {checkSample} = await import('./lib/check-sample.mjs');
      for (const line of await checkSample(url, server.cookie)) say(line);
      return;
    }
    const hint = addressHint(new URL(server.url).port);
    say(
      `\nVS Code with GPU Lens: ${url}\nPassword: ${server.password}\n${hint === null ? '' : `${hint}\n`}` +
        'Open train.py or model.py: the times stand above the lines. Ctrl+C ends it.\n',
    );
    await new Promise((resolve, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
      // The end of its log may come after the end of the process.
      server.process.once('exit', () => setTimeout(() => reject(server.failure('has ended')), 500));
    });
  } finally {
    await server.stop();
  }
}
