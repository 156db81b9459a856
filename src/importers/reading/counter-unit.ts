import type {CounterUnit} from '../../core/trace/counters.js';

/** A counter's name without its unit if values are converted, the unit, and the factor for values. */
export interface NamedUnit {
  readonly name: string;
  readonly unit: CounterUnit | null;
  readonly scale: number;
}

/**
 * Returns the unit in brackets at the end of a counter's name, such as "SMs Active [Throughput %]" or "Power (W)";
 * null, the whole name and a scale of 1 if there is no known unit.
 */
export function counterUnit(counterName: string): NamedUnit {
  const {plain, text} = partsOf(counterName);
  // "[Throughput %]" says what the percentage is of, so it stays in the name; a converted unit must not.
  if (/(^|\s)%$/.test(text)) return {name: counterName, unit: 'percent', scale: 1};
  const known = Object.hasOwn(units, text) ? units[text] : undefined;
  return known ? {name: plain, ...known} : {name: counterName, unit: null, scale: 1};
}

/**
 * Splits a name into what precedes the brackets at its end, and the text in them; the text is empty if there are no
 * brackets, or nothing before them. Done by hand, since a pattern takes quadratic time for a name of many opening
 * brackets.
 */
function partsOf(name: string): {readonly plain: string; readonly text: string} {
  const close = name.at(-1) ?? '';
  const at = close === ']' ? name.lastIndexOf('[') : close === ')' ? name.lastIndexOf('(') : -1;
  const plain = name.slice(0, Math.max(0, at)).trimEnd();
  const text = name.slice(at + 1, -1);
  return plain === '' || text.includes(close) ? {plain: name, text: ''} : {plain, text};
}

const units: Readonly<Record<string, {readonly unit: CounterUnit; readonly scale: number}>> = {
  Hz: {unit: 'hertz', scale: 1},
  MHz: {unit: 'hertz', scale: 1e6},
  GHz: {unit: 'hertz', scale: 1e9},
  W: {unit: 'watts', scale: 1},
  mW: {unit: 'watts', scale: 1e-3},
  bytes: {unit: 'bytes', scale: 1},
  'bytes/s': {unit: 'bytesPerSecond', scale: 1},
};
