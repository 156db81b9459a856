import {describe, expect, it} from 'vitest';
import {StringTable} from '../../../src/core/table/string-table.js';
import {allocateTogether, gather, release, TableBuilder, trim} from '../../../src/core/table/table.js';

const schema = {id: 'i32', time: 'f64'} as const;

describe('TableBuilder', () => {
  it('keeps every row while it grows', () => {
    const builder = new TableBuilder(schema, 1);
    for (let i = 0; i < 1000; i++) builder.push({id: i, time: i / 2});
    const table = builder.finish();
    expect(table.length).toBe(1000);
    expect(table.id.length).toBe(1000);
    expect([table.id[999], table.time[999]]).toEqual([999, 499.5]);
  });

  it('keeps every row where a part of one was expected', () => {
    const builder = new TableBuilder(schema, 1.5);
    for (let i = 0; i < 5; i++) builder.push({id: i, time: i});
    expect([...builder.finish().id]).toEqual([0, 1, 2, 3, 4]);
  });

  it('appends the first rows of columns of any width, however many fit, and zeros for those that are not given', () => {
    const builder = new TableBuilder({...schema, none: 'i32'}, 2);
    builder.push({id: 1, time: 0.5, none: 7});
    const columns = {id: Float64Array.of(2, 3, 4, 5, 2 ** 32 + 6, 9), time: Float64Array.of(1, 2, 3, 4, 5, 9)};
    builder.append(columns, 5);
    builder.append(columns, 0);
    builder.push({id: 8, time: 0, none: 7});
    const table = builder.finish();
    expect([...table.id]).toEqual([1, 2, 3, 4, 5, 6, 8]);
    expect([...table.time]).toEqual([0.5, 1, 2, 3, 4, 5, 0]);
    expect([...table.none]).toEqual([7, 0, 0, 0, 0, 0, 7]);
  });

  it('finishes an empty table', () => {
    expect(new TableBuilder(schema).finish()).toMatchObject({length: 0});
  });

  it.each([
    {numbers: [], whole: Int32Array, few: Uint8Array},
    {numbers: [0, 255], whole: Int32Array, few: Uint8Array},
    {numbers: [256, 0], whole: Int32Array, few: Uint16Array},
    {numbers: [0, 65_535], whole: Int32Array, few: Uint16Array},
    {numbers: [-1, 0], whole: Int32Array, few: Int32Array},
    {numbers: [-1, 2 ** 31 - 1], whole: Int32Array, few: Int32Array},
    {numbers: [65_536, -(2 ** 31)], whole: Int32Array, few: Int32Array},
    {numbers: [0, 2 ** 31], whole: Float64Array, few: null},
    {numbers: [0.5, NaN], whole: Float64Array, few: null},
  ])('keeps whole numbers like $numbers in as few bits as hold them all', ({numbers, whole, few}) => {
    const wide = new TableBuilder({value: 'whole'});
    for (const value of numbers) wide.push({value});
    const {value} = wide.finish();
    expect(value).toBeInstanceOf(whole);
    expect([...value]).toEqual(numbers);
    if (few === null) return;
    const small = new TableBuilder({value: 'few'});
    for (const number of numbers) small.push({value: number});
    const column = small.finish().value;
    expect(column).toBeInstanceOf(few);
    expect([...column]).toEqual(numbers);
  });

  it('does not compile with a column missing', () => {
    const builder = new TableBuilder(schema);
    // @ts-expect-error -- a forgotten column is caught by the compiler
    builder.push({id: 1});
    expect(builder.length).toBe(1);
  });
});

it('allocateTogether(schema, length) gives columns of zeros that go with one of them', () => {
  const {time, id} = allocateTogether({time: 'f64', id: 'i32'} as const, 3);
  expect([[...time], [...id]]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  id.fill(-1);
  time.fill(0.5);
  expect([...id, ...time]).toEqual([-1, -1, -1, 0.5, 0.5, 0.5]);
  release(id);
  expect([time.length, id.length]).toEqual([0, 0]);
});

it('trim(column, length) copies only where much would be kept for nothing', () => {
  const column = Int32Array.from({length: 100}, (_, row) => row);
  expect(trim(column, 90).buffer).toBe(column.buffer);
  const copied = trim(column, 50);
  expect([copied.length, copied[49], copied.buffer.byteLength, column.length]).toEqual([50, 49, 200, 0]);
});

it('gather(schema, table, order) gives the rows in that order', () => {
  const builder = new TableBuilder(schema);
  for (const id of [10, 20, 30]) builder.push({id, time: 0});
  expect([...gather(schema, builder.finish(), Uint32Array.of(2, 0)).id]).toEqual([30, 10]);
});

it('StringTable interns each text once, and knows no others', () => {
  const strings = new StringTable();
  expect(strings.intern('a')).toBe(1);
  expect(strings.intern('a')).toBe(1);
  expect(strings.intern('')).toBe(0);
  expect([strings.get(1), strings.get(-1), strings.get(99)]).toEqual(['a', '', '']);
  expect([strings.find('a'), strings.find('b')]).toEqual([1, -1]);
});
