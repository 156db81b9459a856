import {appendFileSync} from 'node:fs';
import type {HeldMemory} from './held-memory.js';

/** How often the table shows what is held. */
const everyMinutes = 10;

/** The memory held after each round of a long work, and the moments of those rounds. */
export class MemoryTable {
  readonly #startMs = Date.now();
  readonly #rows: {readonly minute: number; readonly held: HeldMemory}[] = [];

  constructor(private readonly first: HeldMemory) {}

  /** Minutes since the beginning. */
  get minutes(): number {
    return (Date.now() - this.#startMs) / 60_000;
  }

  get rounds(): number {
    return this.#rows.length;
  }

  /** What was held after each round. */
  get held(): readonly HeldMemory[] {
    return this.#rows.map(({held}) => held);
  }

  add(held: HeldMemory): void {
    const row = {minute: this.minutes, held};
    this.#rows.push(row);
    const file = process.env['GPU_LENS_ENDURANCE_LOG'];
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(row)}\n`);
  }

  /** Returns a Markdown table: the beginning, the last round of every ten minutes, and the end. */
  text(): string {
    const shown = this.#rows.filter(({minute}, i) => {
      const next = this.#rows[i + 1]?.minute ?? Number.POSITIVE_INFINITY;
      return Math.floor(next / everyMinutes) > Math.floor(minute / everyMinutes);
    });
    const cells = [
      ['minute', 'round', 'extension host, MB', 'engine, MB', 'pages, MB', 'heap of the page, MB', 'DOM nodes'],
      ['---', '---', '---', '---', '---', '---', '---'],
      cellsOf(0, 0, this.first),
      ...shown.map(row => cellsOf(row.minute, this.#rows.indexOf(row) + 1, row.held)),
    ];
    return cells.map(row => `| ${row.join(' | ')} |`).join('\n');
  }
}

function cellsOf(minute: number, round: number, held: HeldMemory): string[] {
  const measured = [held.hostMb, held.engineMb, held.pagesMb, held.heapMb, held.nodes];
  return [Math.round(minute), round, ...measured].map(String);
}

/**
 * Returns a sentence for each measure that has grown; none if all are flat.
 *
 * The first third is left out, because V8 grows its heap in steps for a while. Of the others the least counts: the rest
 * is garbage that has not been collected yet.
 */
export function flatAfter(held: readonly HeldMemory[]): string[] {
  const third = Math.floor(held.length / 3);
  const least = (measure: keyof HeldMemory, from: number, to: number) =>
    Math.min(...held.slice(from, to).map(one => one[measure]));
  const limits = {hostMb: 10, engineMb: 10, heapMb: 10, nodes: 1000} as const;
  return Object.entries(limits).flatMap(([name, slack]) => {
    const measure = name as keyof typeof limits;
    const middle = least(measure, third, 2 * third);
    const last = least(measure, 2 * third, held.length);
    return last < 1.1 * middle + slack ? [] : [`${measure} grew from ${String(middle)} to ${String(last)}`];
  });
}
