import {readFileSync} from 'node:fs';

/** Returns the peak resident memory of this process in bytes; that of `getrusage` includes the parent process. */
export function peakResidentBytes(): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // It exists only on Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
