// VS Code as a server: npm's code-server, which is a real workbench with a real extension host.
import {spawn} from 'node:child_process';
import {createHash, randomBytes} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {devNull} from 'node:os';
import {join} from 'node:path';
import {endGroup, endWithParent} from './end-with-parent.mjs';
import {npm, offlineOptions, wholeInstallation} from './npm.mjs';
import {environment, must, node24, once, out, root, say, unset} from './run.mjs';
import {SetupError} from './setup-error.mjs';

/** How long a server may take until it listens. */
const listensWithinS = 90;

const version = '4.139.1';
const home = join(out, 'tools', 'code-server');
const entry = join(home, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
/** The texts of the login page. */
const loginTexts = join(root, 'scripts', 'lib', 'login-texts.json');

/** Installs code-server under out/tools, once per version; no script of a package runs, and nothing is compiled. */
export async function ensureCodeServer() {
  const vscode = join(home, 'node_modules', 'code-server', 'lib', 'vscode');
  await once(join(home, '.installed'), `${version} for ${process.platform} ${process.arch}`, async () => {
    say('Installing VS Code for the browser (code-server, about 170 MB, unless npm has it in its cache) …');
    // An installation that was not finished may have parts of packages.
    rmSync(home, {recursive: true, force: true, maxRetries: 5});
    mkdirSync(home, {recursive: true});
    writeFileSync(join(home, 'package.json'), '{"private": true}\n');
    const install = ['install', ...wholeInstallation, '--omit=dev', ...(await offlineOptions())];
    await npm([...install, `code-server@${version}`], {cwd: home});
    await npm(install, {cwd: vscode});
    await npm(install, {cwd: join(vscode, 'extensions')});
  });
  copyFileSync(
    join(root, 'scripts', 'lib', 'spdlog.cjs'),
    join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'),
  );
}

/** Installs a .vsix into a folder of extensions. */
export async function installExtension(vsix, folders) {
  const install = ['--install-extension', vsix, '--force'];
  await must(node24, [entry, ...ownOptions(folders), ...install], {quiet: true, env: unsetServerVariables()});
}

/**
 * Starts VS Code on a free port of 127.0.0.1. It asks for a new password, because every user of the machine can reach
 * that port. Resolves once it listens, with its address, the password, the session cookie of a browser that is logged
 * in, `log()`, `stop()`, its process, and `failure(what)`, an error with the end of the log.
 *
 * @param folders `{userData, extensions}`: where it keeps its state
 * @param options.trustsEverything whether every folder is trusted without a question
 * @param options.graceS how long a window may be gone before its extension host ends; VS Code's own three hours if null
 * @param options.env more environment variables
 * @throws SetupError with the end of the log if it does not listen in time
 */
export async function startCodeServer(folders, {trustsEverything = true, graceS = null, env = {}} = {}) {
  const password = randomBytes(12).toString('hex');
  const passwordHash = createHash('sha256').update(password).digest('hex');
  // Cookies belong to all ports of 127.0.0.1: other servers there, also of ours, have cookies of other names.
  const cookieSuffix = `gpu-lens-${passwordHash.slice(0, 8)}`;
  const child = spawn(
    node24,
    [
      entry,
      ...ownOptions(folders),
      ...['--bind-addr', '127.0.0.1:0', '--auth', 'password', '--cookie-suffix', cookieSuffix, '--i18n', loginTexts],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trustsEverything ? ['--disable-workspace-trust'] : []),
      ...(graceS === null ? [] : ['--reconnection-grace-time', String(graceS)]),
    ],
    {
      env: environment({...unsetServerVariables(), ...env, HASHED_PASSWORD: passwordHash}),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    },
  );
  let log = '';
  child.stdout.on('data', data => (log += data));
  child.stderr.on('data', data => (log += data));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = () =>
    new Promise(resolve => {
      isStopped();
      if (hasEnded()) {
        // Its terminals and extension hosts may live on.
        endGroup(child.pid, 'SIGKILL');
        return resolve();
      }
      child.once('exit', resolve);
      endGroup(child.pid, 'SIGTERM');
      setTimeout(() => child.exitCode === null && endGroup(child.pid, 'SIGKILL'), 3000).unref();
    });
  const failure = what =>
    new SetupError(`VS Code’s server ${what}. The end of its log:\n${log.trimEnd().split('\n').slice(-20).join('\n')}`);
  // A script that ends some other way, by process.exit, an error or a signal, leaves nothing running.
  const isStopped = endWithParent(child.pid);
  const cookie = {name: `code-server-session-${cookieSuffix}`, value: passwordHash};
  for (let attempt = 0; attempt < 10 * listensWithinS; attempt++) {
    if (hasEnded()) throw failure('ended before it listened');
    const url = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+\/)\s/.exec(log)?.[1];
    if (url) return {url, password, cookie, stop, log: () => log, failure, process: child};
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await stop();
  throw failure(`did not listen within ${String(listensWithinS)} s`);
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
  // The sample lies in the checkout.
  'git.openRepositoryInParentFolders': 'never',
};

/** Writes the user settings of a server that has not been started yet. */
export function writeUserSettings({userData}, settings) {
  const folder = join(userData, 'User');
  mkdirSync(folder, {recursive: true});
  const file = join(folder, 'settings.json');
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}

/** The options of every start: folders of its own, and none of the settings of the user's own code-server. */
function ownOptions({userData, extensions}) {
  return ['--user-data-dir', userData, '--extensions-dir', extensions, '--config', devNull];
}

/**
 * Returns an environment that unsets the variables that code-server takes as options, and those of a VS Code terminal,
 * where code-server would hand its files to the surrounding window and exit.
 */
function unsetServerVariables() {
  const others =
    /^(VSCODE_|CODE_SERVER_|CS_DISABLE_|(PORT|LOG_LEVEL|PASSWORD|HASHED_PASSWORD|GITHUB_TOKEN|EXTENSIONS_GALLERY)$)/;
  return unset(Object.keys(process.env).filter(name => others.test(name)));
}
