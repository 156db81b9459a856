import {describe, expect, it} from 'vitest';
import {traceArrays, traceTables, type TraceHead} from '../../../src/core/trace/trace-tables.js';
import {traceFromText} from '../../support/trace-from-text.js';

describe('traceTables and traceArrays', () => {
  const trace = traceFromText(`
    range outer   ====
  `);

  it('name every typed array of a trace, so that nothing is left out of what is kept', () => {
    const parts = Object.keys(trace).filter(part => {
      const value: unknown = trace[part as keyof typeof trace];
      const members = ArrayBuffer.isView(value) ? [value] : Object.values(value ?? {});
      return members.some(member => ArrayBuffer.isView(member));
    });
    expect(parts.sort()).toEqual([...Object.keys(traceTables), ...Object.keys(traceArrays)].sort());
    for (const [table, {schema}] of Object.entries(traceTables)) {
      const {length, ...columns} = trace[table as keyof typeof traceTables];
      expect(Object.keys(columns).sort()).toEqual(Object.keys(schema).sort());
      expect(length).toBeGreaterThanOrEqual(0);
    }
  });

  it('leave to the head only what holds no tables', () => {
    // @ts-expect-error A table is no member of the head: one that traceTables forgets has to be decoded by hand.
    const table: keyof TraceHead = 'slices';
    const head: keyof TraceHead = 'tracks';
    expect([table, head]).toEqual(['slices', 'tracks']);
  });
});
