import type {MemoryLimit} from '../core/trace/memory-limit.js';
import {UsageError} from './command.js';

/** What an import may hold in memory where the command line does not say, in MB. */
const usualMegabytes = 2000;

let megabytes = usualMegabytes;

/** The option that every command which reads profiles takes. */
export const memoryOption = '--memory-limit';

/** Takes the value of `--memory-limit`, once, before a command runs. @throws UsageError */
export function chooseMemoryLimit(value: string | boolean | undefined): void {
  megabytes = value === undefined ? usualMegabytes : Number(value);
  if (Number.isFinite(megabytes) && megabytes > 0) return;
  throw new UsageError(`${memoryOption} takes a number of MB; not "${String(value)}".`);
}

/** What an import may hold in memory. */
export function memoryLimit(): MemoryLimit {
  return {bytes: megabytes * 1e6, name: memoryOption};
}
