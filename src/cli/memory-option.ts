import type {MemoryLimit} from '../core/trace/memory-limit.js';
import {UsageError} from './command.js';

/** What an import may hold in memory where the command line does not say, in MB. */
const usualMegabytes = 2000;

let megabytes = usualMegabytes;

/** The option that every command which reads profiles takes. */
const memoryOption = '--memory-limit';

/** Takes the value of `--memory-limit`, once, before a command runs. @throws UsageError */
export function chooseMemoryLimit(value: string | boolean | undefined): void {
  megabytes = value === undefined ? usualMegabytes : Number(value);
  if (Number.isFinite(megabytes) && megabytes > 0) return;
  throw new UsageError(`${memoryOption} takes a number of MB; not "${String(value)}".`);
}

/** A command line with `--memory history` as the option that it stands for: `--memory` alone takes no value. */
export function withMemoryHistory(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const at = options.findIndex((option, i) => option === '--memory' && options[i + 1] === 'history');
  const separate = at < 0 ? [...args] : [...args.slice(0, at), '--memory-history', ...args.slice(at + 2)];
  return separate.map((option, i) =>
    option === '--memory=history' && (end < 0 || i < end) ? '--memory-history' : option,
  );
}

/** What an import may hold in memory. */
export function memoryLimit(): MemoryLimit {
  return {bytes: megabytes * 1e6, name: memoryOption};
}
