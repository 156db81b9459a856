import {plural} from '../format/count.js';
import {formatBytes} from './format-bytes.js';
import type {LineMemory} from './line-memory.js';

/** What stands above a line: `peak 3.20 GiB · holds 812 MiB`; the second part only if it holds something at the peak. */
export function lineMemoryText({peakBytes, heldBytes}: LineMemory): string {
  const peak = `peak ${formatBytes(peakBytes)}`;
  return heldBytes > 0 ? `${peak} · holds ${formatBytes(heldBytes)}` : peak;
}

/** What a hover says of a line, for people who did not see the figures above it. */
export function lineMemoryHover({peakBytes, heldBytes, heldBlocks, largest}: LineMemory, snapshot: string): string {
  const lines = [
    `Memory from ${snapshot}`,
    `At most ${formatBytes(peakBytes)} at once.`,
    heldBlocks === 0
      ? 'Nothing of it is live at the peak of the device.'
      : `Live at the peak of the device: ${formatBytes(heldBytes)} in ${plural(heldBlocks, 'block')}.`,
  ];
  if (largest.length > 0) lines.push(`Largest: ${largest.map(formatBytes).join(', ')}.`);
  return lines.join('\n\n');
}
