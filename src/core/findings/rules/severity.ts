import type {Severity} from './finding.js';

/** Shares of a whole below which a rule about time is silent, and from which a finding has medium and high severity. */
const leastPart = 0.03;
const mediumPart = 0.1;
const highPart = 0.25;

/** Returns how severe it is that something takes a part of a whole; null if the part is too small. */
export function severityOf(partNs: number, wholeNs: number): Severity | null {
  const part = wholeNs > 0 ? partNs / wholeNs : 0;
  if (!(part >= leastPart)) return null;
  if (part >= highPart) return 'high';
  return part >= mediumPart ? 'medium' : 'low';
}

/** The sentence about the threshold above. */
export const silentShare =
  'Below 3 % of the time from the GPU’s first operation to its last. From 10 %: medium; from 25 %: high.';

/** The same for shares of the sum of GPU operations. */
export const silentWorkShare = 'Below 3 % of the GPU’s work. From 10 %: medium; from 25 %: high.';
