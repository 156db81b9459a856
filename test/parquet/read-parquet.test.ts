import {describe, expect, it} from 'vitest';
import {BadParquet} from '../../src/parquet/bad-parquet.js';
import type {ParquetColumn, ParquetValue} from '../../src/parquet/parquet-column.js';
import {readParquet} from '../../src/parquet/read-parquet.js';
import {summaryBytes} from '../../src/parquet/write-summary.js';
import {parquetBytes} from '../../src/parquet/write-parquet.js';
import {madeJob} from '../support/job-ranks.js';
import {seededRandom} from '../support/random.js';

const columns: readonly ParquetColumn[] = [
  {name: 'text', type: 'text'},
  {name: 'whole', type: 'integer'},
  {name: 'real', type: 'real'},
];
const names = columns.map(({name}) => name);

function fileOf(rows: readonly (readonly ParquetValue[])[]): Uint8Array {
  const group = {
    length: rows.length,
    columns: columns.map((_, column) => (row: number) => rows[row]?.[column] ?? null),
  };
  return Buffer.concat([...parquetBytes(columns, [group])]);
}

describe('a Parquet file', () => {
  it('comes back as it was written: texts of all letters, empty cells, whole numbers beyond 2^53, fractions', async () => {
    const rows: ParquetValue[][] = [
      ['ä 漢 🚀', 2n ** 62n, 0.1],
      [null, null, null],
      ['', -1n, -0],
      ['=cmd()', 0n, Number.MAX_VALUE],
    ];
    const {rows: count, columns: read} = await readParquet(fileOf(rows), names);
    expect(count).toBe(4);
    expect(rows.map((_, row) => names.map(name => read[name]?.[row] ?? null))).toEqual(rows);
  });

  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('of %i rows lies in groups of 65,536', async length => {
    const rows = Array.from({length}, (_, row) => [`name ${String(row % 7)}`, BigInt(row), row / 2]);
    const {rows: count, columns: read} = await readParquet(fileOf(rows), ['whole', 'text']);
    expect(count).toBe(length);
    const wrong = rows.findIndex(
      ([text, whole], row) => read['whole']?.[row] !== whole || read['text']?.[row] !== text,
    );
    expect(wrong).toBe(-1);
    expect(read['real']).toBeUndefined();
  });

  it('has NaN as an empty cell', async () => {
    const {columns: read} = await readParquet(fileOf([['a', NaN, NaN]]), names);
    expect([read['whole']?.[0] ?? null, read['real']?.[0] ?? null]).toEqual([null, null]);
  });

  it('is read or refused in one sentence, whichever of its bytes is another: nothing hangs or swells', async () => {
    const ranks = madeJob({ranks: 2, steps: 5, callsPerStep: 3});
    const bytes = Buffer.concat([...summaryBytes(ranks)]);
    const wanted = ['kind', 'rank', 'file', 'name', 'start_ns', 'sequence', 'bytes', 'origin_ns'];
    const random = seededRandom(11);
    let refused = 0;
    for (let round = 0; round < 4000; round++) {
      const damaged = Buffer.from(bytes);
      // Footers hold the lengths that a reader believes: half of the damage goes there.
      const from = round % 2 === 0 ? 4 : Math.floor(bytes.length * 0.5);
      for (let bite = 0; bite <= round % 3; bite++) {
        damaged[from + Math.floor(random() * (bytes.length - from))] =
          [0xff, 0x7f, 0, Math.floor(random() * 256)][bite % 4] ?? 0;
      }
      try {
        const {rows} = await readParquet(damaged, wanted);
        expect(rows).toBeLessThanOrEqual(2e6);
      } catch (error) {
        refused++;
        expect(error).toBeInstanceOf(BadParquet);
      }
    }
    expect(refused).toBeGreaterThan(500);
    expect(process.memoryUsage().rss).toBeLessThan(1.5e9);
  });

  it('is refused at every length that it is cut to', async () => {
    const bytes = fileOf([['a', 1n, 0.5]]);
    for (let length = 0; length < bytes.length; length++) {
      await expect(readParquet(bytes.subarray(0, length), names)).rejects.toBeInstanceOf(BadParquet);
    }
  });

  it('is refused where a run says to be longer than its page', async () => {
    // That all of 300 cells are there is one run of ones: 300 << 1 in two bytes, then the one.
    const bytes = Buffer.from(fileOf(Array.from({length: 300}, () => ['same', 7n, 0.5])));
    const run = bytes.indexOf(Buffer.from([0xd8, 0x04, 0x01]));
    expect(run).toBeGreaterThan(0);
    bytes.writeUInt8(0x7f, run + 1);
    await expect(readParquet(bytes, names)).rejects.toThrow('a run of values in it is longer than its page');
  });
});
