import {isIdlePart, type TimePart} from '../../src/core/summary/time-parts.js';

/** Returns the table with details on a part; null if there is none. */
export function tabOfPart(part: TimePart): string | null {
  if (part === 'outside') return null;
  if (isIdlePart(part)) return 'gpu-timeline';
  if (part === 'memcpy' || part === 'memset') return 'memory';
  if (part === 'communication') return 'collectives';
  if (part.startsWith('cpu/')) return 'step-breakdown';
  return part === 'graph' ? null : 'kernel-classes';
}
