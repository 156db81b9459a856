import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** better-sqlite3 crashes on an older one, and zstd came with it. */
const least = {major: 22, minor: 15} as const;

/** Whether this Node can run the command line. */
export function isNodeNewEnough(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > least.major || (major === least.major && minor >= least.minor);
}

/**
 * Runs this command line again in the Node that the project installs for itself; returns the exit status.
 *
 * @param dist the folder of the bundles
 */
export function runInOwnNode(dist: string, tell: (text: string) => void): number {
  const node = join(dist, '..', 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(node)) {
    tell(
      `gpu-lens: Node ${String(least.major)}.${String(least.minor)} or later is needed; this is ${process.version}.`,
    );
    return 1;
  }
  return spawnSync(node, process.argv.slice(1), {stdio: 'inherit'}).status ?? 1;
}
