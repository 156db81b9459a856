import {readFileSync} from 'node:fs';

/** The most that this process has had resident, bytes; what `getrusage` tells includes the one that forked it. */
export function peakResidentBytes(): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Only Linux has it.
  }
  return process.resourceUsage().maxRSS * 1024;
}
