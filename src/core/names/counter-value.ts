import type {CounterUnit} from '../trace/counters.js';

const suffixes: Readonly<Record<CounterUnit, string>> = {
  bytes: 'B',
  bytesPerSecond: 'B/s',
  percent: '%',
  watts: 'W',
  hertz: 'Hz',
  celsius: '°C',
  count: '',
};
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
const decimal = ['', 'k', 'M', 'G', 'T', 'P'];
const isBinary: ReadonlySet<CounterUnit | null> = new Set<CounterUnit | null>(['bytes', 'bytesPerSecond']);
const isPlain: ReadonlySet<CounterUnit | null> = new Set<CounterUnit | null>(['percent', 'celsius', 'watts']);

/**
 * Returns a counter's value with its unit and at most three or four digits: `1.50 GiB`, `97.5 %`, `1.41 GHz`; `–` for
 * none.
 */
export function formatCounterValue(value: number, unit: CounterUnit | null): string {
  if (!Number.isFinite(value)) return '–';
  const suffix = unit === null ? '' : suffixes[unit];
  const base = isBinary.has(unit) ? 1024 : 1000;
  const prefixes = isBinary.has(unit) ? binary : decimal;
  let power = 0;
  if (!isPlain.has(unit)) while (power < prefixes.length - 1 && Math.abs(value) >= base ** (power + 1)) power++;
  const scaled = value / base ** power;
  const isShort = power === 0 && Number.isInteger(scaled);
  const text = isShort ? String(scaled) : scaled.toFixed(Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2);
  return `${text} ${prefixes[power]}${suffix}`.trim();
}
