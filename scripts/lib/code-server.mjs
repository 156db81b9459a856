// VS Code as a server: npm's code-server, which is a real workbench with a real extension host.
import {spawn} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {endGroup, endWithParent} from './end-with-parent.mjs';
import {npm} from './npm.mjs';
import {environment, must, node24, once, out, root, say} from './run.mjs';

const version = '4.139.1';
const home = join(out, 'tools', 'code-server');
const entry = join(home, 'node_modules', 'code-server', 'out', 'node', 'entry.js');

/** Installs code-server under out/tools, once per version; no script of a package runs, and nothing is compiled. */
export async function ensureCodeServer() {
  const vscode = join(home, 'node_modules', 'code-server', 'lib', 'vscode');
  await once(join(home, '.installed'), version, async () => {
    say('Installing VS Code for the browser (code-server, about 170 MB, unless npm has it in its cache) …');
    mkdirSync(home, {recursive: true});
    writeFileSync(join(home, 'package.json'), '{"private": true}\n');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
    await npm([...install, `code-server@${version}`], {cwd: home});
    await npm([...install, '--omit=dev'], {cwd: vscode});
    await npm([...install, '--omit=dev'], {cwd: join(vscode, 'extensions')});
  });
  copyFileSync(
    join(root, 'scripts', 'lib', 'spdlog.cjs'),
    join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
  );
}

/** Installs a .vsix into a folder of extensions. */
export async function installExtension(vsix, folders) {
  await must(node24, [entry, ...folderArguments(folders), '--install-extension', vsix, '--force'], {quiet: true});
}

/**
 * Starts VS Code on 127.0.0.1 and resolves when it answers.
 *
 * @param folders `{userData, extensions}`: where it keeps its state
 * @param options.graceS how long a window may be gone before its extension host ends; VS Code's own three hours if null
 */
export async function startCodeServer(folders, {trustsEverything = true, graceS = null, env = {}} = {}) {
  const port = await freePort();
  const child = spawn(
    node24,
    [
      entry,
      ...folderArguments(folders),
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trustsEverything ? ['--disable-workspace-trust'] : []),
      ...(graceS === null ? [] : ['--reconnection-grace-time', String(graceS)]),
    ],
    {env: environment(env), stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32'},
  );
  let log = '';
  child.stdout.on('data', data => (log += data));
  child.stderr.on('data', data => (log += data));
  const stop = () =>
    new Promise(resolve => {
      isStopped();
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', resolve);
      endGroup(child.pid, 'SIGTERM');
      setTimeout(() => child.exitCode === null && endGroup(child.pid, 'SIGKILL'), 3000).unref();
    });
  // A script that ends some other way, by process.exit, an error or a signal, leaves nothing running.
  const isStopped = endWithParent(child.pid);
  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`code-server did not start:\n${log}`);
    const answer = await fetch(`${url}healthz`).catch(() => null);
    if (answer?.ok) return {url, stop, log: () => log, process: child};
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`code-server did not answer within 30 s:\n${log}`);
}

/** Settings that keep VS Code's own user interface out of the way. */
export const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Writes the user settings of a server that has not been started yet. */
export function writeUserSettings({userData}, settings) {
  const folder = join(userData, 'User');
  mkdirSync(folder, {recursive: true});
  const file = join(folder, 'settings.json');
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}

function folderArguments({userData, extensions}) {
  return ['--user-data-dir', userData, '--extensions-dir', extensions];
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}
