/** Returns whether a process runs on this machine, whoever owns it. */
export function isRunning(pid: number): boolean {
  // 0 and negative numbers are groups of processes.
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
