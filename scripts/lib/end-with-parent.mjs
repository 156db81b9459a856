// Ends what a script has started, however the script ends, even if it is killed.
import {spawn, spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {node24} from './run.mjs';

const watchdog = fileURLToPath(new URL('./watchdog.cjs', import.meta.url));

/**
 * Kills a process that was started `detached`, with all processes of its group, when this process ends. A separate
 * watchdog process does so; its input closes with this process. Returns a function that cancels this.
 */
export function endWithParent(pid) {
  const endNow = () => endGroup(pid, 'SIGKILL');
  // Before other listeners remove the files that it writes.
  process.prependOnceListener('exit', endNow);
  const guard = spawn(node24, [watchdog, String(pid)], {stdio: ['pipe', 'ignore', 'ignore'], detached: true});
  // If the watchdog is gone, writing to it fails; it must not keep this process alive either.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  guard.stdin.unref();
  return () => {
    process.off('exit', endNow);
    guard.stdin.end('done');
  };
}

/** Ends a process and its group, such as a server's terminals and extension hosts. */
export function endGroup(pid, signal) {
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {stdio: 'ignore'});
    else process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
