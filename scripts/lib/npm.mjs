// Runs npm's JavaScript through node, because Windows starts npm.cmd only through a shell, which would split paths at
// spaces.
import {realpathSync} from 'node:fs';
import {basename, delimiter, dirname, join} from 'node:path';
import {isOutside, npmNode} from './npm-node.mjs';
import {environment, run} from './run.mjs';
import {SetupError} from './setup-error.mjs';

const cli = join('node_modules', 'npm', 'bin', 'npm-cli.js');

/** A failed download is retried after one second and after five, so that a missing network is reported soon. */
const impatience = {npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '5000'};

/**
 * Options of an installation: no package runs a script, none is left out because of a user's .npmrc or because it
 * requires another version of Node, and all have the versions of the lockfile.
 */
export const wholeInstallation = [
  ...['--ignore-scripts', '--include=optional', '--include=peer', '--engine-strict=false'],
  ...['--package-lock=true', '--no-audit', '--no-fund'],
];

const unreachable =
  'npm cannot reach its registry: check the network and, behind a proxy, set it with "npm config set https-proxy http://HOST:PORT".';

/** npm's messages about failures, and their meaning for the user. The first match counts. */
const failures = [
  [
    /ENOSPC|EDQUOT|no space left|quota exceeded/i,
    'The disk or your share of it is full: free about 2 GB, and start again.',
  ],
  [
    /E40[17]\b|EPROXY|407 Proxy/i,
    'The registry or the proxy of npm asks for a password: see "npm config get registry" and "npm config get https-proxy", and log in with "npm login".',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/,
    unreachable,
  ],
  [
    /CERT_|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
    'npm does not trust the certificate of its registry: name your company’s certificates with "npm config set cafile FILE".',
  ],
  [
    /E404|ETARGET|EINTEGRITY/,
    'The registry of npm lacks a package of package-lock.json: see "npm config get registry".',
  ],
  [
    /EACCES|EPERM|EROFS/,
    process.platform === 'win32'
      ? 'npm may not write here: give yourself the right to write into the checkout and into npm’s cache ("npm config get cache").'
      : 'npm may not write here: give yourself the checkout and ~/.npm, as with "sudo chown -R $USER . ~/.npm".',
  ],
];

/**
 * Runs npm with these arguments to its end, quietly.
 *
 * @throws SetupError with the remedy, and the last lines of npm's output if the cause is unknown
 */
export async function npm(args, {cwd, env = {}} = {}) {
  const {status, output} = await runNpm(args, cwd, {...impatience, ...env});
  if (status !== 0) throw new SetupError(npmFailure(args, output));
}

/** Returns whether npm reaches its registry: requested once, for the versions of a small package. */
async function isRegistryReachable() {
  const args = ['view', 'pixelmatch', 'version'];
  const env = {npm_config_fetch_retries: '0', npm_config_fetch_timeout: '20000'};
  const {status, output} = await runNpm(args, undefined, env);
  return status === 0 || npmFailure(args, output) !== unreachable;
}

/**
 * Returns the options of an installation where npm does not reach its registry: all packages may be in its cache, and
 * without these options it retries each for minutes.
 */
export async function offlineOptions() {
  return (await isRegistryReachable()) ? [] : ['--offline'];
}

/**
 * Runs npm with a Node that no installation deletes. It is also last on PATH, for package scripts on a machine without
 * Node.
 */
async function runNpm(args, cwd, env) {
  const node = npmNode();
  const PATH = [environment().PATH, dirname(node)].join(delimiter);
  try {
    // A user's `loglevel=silent` would hide why it fails.
    return await run(node, [npmCli(), ...args, '--loglevel=error'], {cwd, env: {PATH, ...env}, quiet: true});
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`npm does not start (${error.message}): install Node.js from https://nodejs.org again.`);
  }
}

/** Returns one sentence about why npm failed. */
export function npmFailure(args, output) {
  const known = failures.find(([pattern]) => pattern.test(output));
  if (known) return known[1];
  const end = output.trimEnd().split('\n').slice(-20).join('\n');
  return `"npm ${args.join(' ')}" failed:\n${end}`;
}

/**
 * Returns the path of npm's JavaScript: of the npm that runs this script, else of the one beside node, else of the one
 * on PATH.
 *
 * @throws SetupError if there is no npm
 */
export function npmCli(env = process.env, node = npmNode()) {
  const running = env.npm_execpath;
  if (running && basename(running) === 'npm-cli.js' && isOutside(running)) return running;
  const beside = [join(dirname(node), cli), join(dirname(dirname(node)), 'lib', cli)];
  const onPath = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .flatMap(folder => [join(folder, cli), linkedCli(join(folder, 'npm'))]);
  const found = [...beside, ...onPath].find(path => path !== null && isOutside(path));
  if (!found) throw new SetupError('npm is not there: install Node.js from https://nodejs.org, which brings it.');
  return found;
}

/** On Linux and macOS `npm` is a link to its JavaScript. */
function linkedCli(path) {
  try {
    const target = realpathSync(path);
    return basename(target) === 'npm-cli.js' ? target : null;
  } catch {
    return null;
  }
}
