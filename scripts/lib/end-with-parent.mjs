// Ends what a script has started, however the script ends: also where it is killed and can do nothing more.
import {spawn, spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {node24} from './run.mjs';

const watchdog = fileURLToPath(new URL('./watchdog.cjs', import.meta.url));

/**
 * Kills a process that was started `detached`, with all processes of its group, when this process ends. The watchdog is
 * a process of its own whose input closes with this process. Returns what takes it back.
 */
export function endWithParent(pid) {
  const endNow = () => endGroup(pid, 'SIGKILL');
  process.once('exit', endNow);
  const guard = spawn(node24, [watchdog, String(pid)], {stdio: ['pipe', 'ignore', 'ignore'], detached: true});
  // A watchdog that has gone cannot be told anything; it must not hold this process either.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  guard.stdin.unref();
  return () => {
    process.off('exit', endNow);
    guard.stdin.end('done');
  };
}

/** Ends a process with those of its group, such as terminals and extension hosts of a server. */
export function endGroup(pid, signal) {
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {stdio: 'ignore'});
    else process.kill(-pid, signal);
  } catch {
    // It has gone by itself.
  }
}
