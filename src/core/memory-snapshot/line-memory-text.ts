import {say} from '../base/say.js';
import {counted} from '../format/count.js';
import {formatBytes} from './format-bytes.js';
import type {LineMemory} from './line-memory.js';

/**
 * Returns the text above a line: `peak 3.20 GiB · holds 812 MiB`; the second part only if it holds something at the
 * peak.
 */
export function lineMemoryText({peakBytes, heldBytes}: LineMemory): string {
  return heldBytes > 0
    ? say('peak {0} · holds {1}', formatBytes(peakBytes), formatBytes(heldBytes))
    : say('peak {0}', formatBytes(peakBytes));
}

/** Returns a line's hover, for users who have not seen the figures above it. */
export function lineMemoryHover({peakBytes, heldBytes, heldBlocks, largest}: LineMemory, snapshot: string): string {
  const lines = [
    say('Memory from {0}', snapshot),
    say('At most {0} at once.', formatBytes(peakBytes)),
    heldBlocks === 0
      ? say('Nothing of it is live at the peak of the device.')
      : counted(
          heldBlocks,
          'Live at the peak of the device: {1} in {0} block.',
          'Live at the peak of the device: {1} in {0} blocks.',
          formatBytes(heldBytes),
        ),
  ];
  if (largest.length > 0) lines.push(say('Largest: {0}.', largest.map(formatBytes).join(', ')));
  return lines.join('\n\n');
}
