import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {constants} from 'node:os';
import {join} from 'node:path';
import {stopSignals} from './until-stopped.js';

/** better-sqlite3 crashes on an older one, and zstd came with it. */
const least = {major: 22, minor: 15} as const;

/** Whether this Node can run the command line. */
export function isNodeNewEnough(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least.major || (major === least.major && minor >= least.minor);
}

/**
 * Runs this command line again in the Node that the project installs for itself; returns the exit status, 128 + n where
 * signal n ended it. Signals are passed on, so that whoever ends this process ends that one.
 *
 * @param dist the folder of the bundles
 */
export async function runInOwnNode(dist: string, tell: (text: string) => void): Promise<number> {
  const node = join(dist, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    tell(
      `gpu-lens: Node ${String(least.major)}.${String(least.minor)} or later is needed; this is ${process.version}.`,
    );
    return 1;
  }
  const child = spawn(node, process.argv.slice(1), {stdio: 'inherit'});
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of [...stopSignals, 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, passOn);
  return new Promise(resolve => {
    child.on('error', error => {
      tell(`gpu-lens: ${node} cannot be run: ${error.message}.`);
      resolve(1);
    });
    child.on('close', (status, signal) => {
      resolve(status ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
