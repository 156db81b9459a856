import {greatest} from '../../core/table/extremes.js';
import {oneLine} from '../../core/format/cells.js';
import type {Check} from './check.js';

/** Returns the checks as text to read, or to paste into a bug report. */
export function environmentText(checks: readonly Check[]): string {
  const width = greatest(checks.map(({check}) => check.length));
  const wrong = checks.filter(({ok}) => !ok).length;
  const lines = checks.flatMap(({check, ok, found, remedy}) => [
    `${ok ? '✓' : '✗'} ${check.padEnd(width)}  ${oneLine(found)}`,
    ...(remedy === null ? [] : [`  ${' '.repeat(width)}  → ${oneLine(remedy)}`]),
  ]);
  const head = wrong === 0 ? 'everything is there' : `${String(wrong)} of ${String(checks.length)} are not there`;
  return `GPU Lens, what profiling can use on this machine: ${head}\n\n${lines.join('\n')}\n`;
}
