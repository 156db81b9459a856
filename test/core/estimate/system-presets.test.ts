import {describe, expect, it} from 'vitest';
import type {Precision} from '../../../src/core/estimate/precision.js';
import {systemPresets} from '../../../src/core/estimate/system-presets.js';
import {system} from '../../support/estimates.js';

/** Units of a GPU, dense operations of one in a cycle, and the boost clock at which they run. */
const units: readonly (readonly [id: string, units: number, perCycle: number, clockHz: number, of: Precision])[] = [
  ['v100', 80 * 8, 2 * 4 * 4 * 4, 1.53e9, 'fp16'],
  ['a100-40gb', 108 * 4, 2 * 256, 1.41e9, 'bf16'],
  ['a100-40gb', 108 * 4, 2 * 128, 1.41e9, 'tf32'],
  ['a100-80gb', 108 * 4, 2 * 256, 1.41e9, 'fp16'],
  ['h100', 132 * 4, 2 * 512, 1.83e9, 'bf16'],
  ['h100', 132 * 4, 2 * 256, 1.83e9, 'tf32'],
  ['h200', 132 * 4, 2 * 1024, 1.83e9, 'fp8'],
  ['mi300x', 304, 2048, 2.1e9, 'bf16'],
  ['mi300x', 304, 1024, 2.1e9, 'tf32'],
  ['mi300x', 304, 4096, 2.1e9, 'fp8'],
  ['mi300x', 304, 256, 2.1e9, 'fp32'],
];
const vectorUnits: typeof units = [
  ['v100', 80 * 64, 2, 1.53e9, 'fp32'],
  ['v100', 80 * 64, 4, 1.53e9, 'fp16'],
  ['a100-40gb', 108 * 64, 2, 1.41e9, 'fp32'],
  ['a100-40gb', 108 * 64, 8, 1.41e9, 'fp16'],
  ['a100-40gb', 108 * 64, 4, 1.41e9, 'bf16'],
  ['h100', 132 * 128, 2, 1.98e9, 'fp32'],
  ['h100', 132 * 128, 4, 1.98e9, 'bf16'],
  ['mi300x', 304, 256, 2.1e9, 'fp32'],
];

describe('systemPresets', () => {
  it.each(units)('%s: %d matrix units of %d operations a cycle give its dense peak', (id, count, each, hz, of) => {
    const peak = system(id).matrixFlopsPerSecond[of] ?? NaN;
    expect((count * each * hz) / peak).toBeCloseTo(1, 2);
  });

  it.each(vectorUnits)('%s: %d other units of %d operations a cycle give its peak', (id, count, each, hz, of) => {
    const peak = system(id).vectorFlopsPerSecond[of] ?? NaN;
    expect((count * each * hz) / peak).toBeCloseTo(1, 2);
  });

  it('are dense: half the operations for twice the bits', () => {
    for (const {system: preset} of systemPresets) {
      const {fp8, bf16, fp16 = 0, tf32} = preset.matrixFlopsPerSecond;
      if (fp8 !== undefined) expect(fp8 / fp16).toBeCloseTo(2, 3);
      if (bf16 !== undefined) expect(bf16).toBe(fp16);
      if (tf32 !== undefined) expect(fp16 / tf32).toBeCloseTo(2, 1);
    }
  });

  it('have links and adapters as many as their data sheets say', () => {
    const gigabytes = (id: string) => {
      const {nvlinkBytesPerSecond, infinibandBytesPerSecond} = system(id);
      return [nvlinkBytesPerSecond / 1e9, infinibandBytesPerSecond / 1e9];
    };
    // Links × GB/s both ways, and adapters × Gb/s one way.
    expect(gigabytes('v100')).toEqual([6 * 50, (4 * 100) / 8]);
    expect(gigabytes('a100-80gb')).toEqual([12 * 50, (8 * 200) / 8]);
    for (const id of ['h100', 'h200']) expect(gigabytes(id)).toEqual([18 * 50, (8 * 400) / 8]);
    expect(gigabytes('b200')).toEqual([18 * 100, (8 * 400) / 8]);
    expect(gigabytes('mi300x')).toEqual([7 * 128, (8 * 400) / 8]);
  });

  it('name their data sheets, and pages that they were compared with', () => {
    for (const {source, pages} of systemPresets) {
      expect(source).toMatch(/NVIDIA|AMD/);
      expect(pages.length).toBeGreaterThan(0);
      for (const page of pages) expect(new URL(page).protocol).toBe('https:');
    }
  });
});
