import {expect, it} from 'vitest';
import {sliceFacts} from '../../../src/core/questions/slice-facts.js';
import type {SliceArgument} from '../../../src/core/questions/slice-details.js';
import {sliceKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {fileStamp} from '../../../src/importers/files/file-identity.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {describeEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

interface Facts {
  readonly raw: readonly SliceArgument[];
  readonly facts: readonly SliceArgument[];
}

/** What is told of the first slices of a kind, and what the file has. */
async function factsOf(path: string, kind: SliceKind, most: number): Promise<Facts[]> {
  const trace = await openTrace(path);
  const file = {path, stamp: await fileStamp(path), life: new AbortController().signal};
  const rows = [...trace.slices.kind.keys()].filter(row => sliceKinds[trace.slices.kind[row] ?? 0] === kind);
  return Promise.all(
    rows.slice(0, most).map(async row => {
      const raw = await readSliceArguments(file, trace, row);
      return {raw, facts: sliceFacts(trace, row, raw)};
    }),
  );
}

const valueOf = (args: readonly SliceArgument[], name: string) => args.find(own => own.name === name)?.value;

describeEachFile(dataFiles('kineto', 'alexnet-cuda-sync.json.gz'))(
  'sliceFacts(trace, slice, args) of $name',
  ({path}) => {
    it('begins with what a kernel was launched with, and its theoretical occupancy', async () => {
      const [first] = await factsOf(path, 'kernel', 1);
      expect(first?.facts.slice(0, 5)).toEqual([
        {name: 'grid', value: '864 × 1 × 1 (864 blocks)'},
        {name: 'block', value: '256 × 1 × 1 (256 threads)'},
        {name: 'registers', value: '47 per thread'},
        {name: 'shared memory', value: '0 B'},
        {name: 'theoretical occupancy', value: '62.5 % (5 blocks per SM, limited by registers)'},
      ]);
      // CUPTI's own, beside it in the file.
      expect(valueOf(first?.facts ?? [], 'est. achieved occupancy %')).toBe('63');
      expect(valueOf(first?.facts ?? [], 'registers per thread')).toBeUndefined();
    });
  },
);

describeEachFile(dataFiles('kineto', 'ns-resolution-rank0.json.gz'))(
  'sliceFacts(trace, slice, args) of $name',
  ({path}) => {
    it('has the bandwidth of copies that the file has', async () => {
      const copies = await factsOf(path, 'gpu_memcpy', 20);
      expect(copies.length).toBeGreaterThan(3);
      for (const {raw, facts} of copies) {
        const told = Number(valueOf(raw, 'memory bandwidth (GB/s)'));
        const [, amount, prefix = ''] = /^([\d.]+) ([kMGT]?)B\/s$/.exec(valueOf(facts, 'bandwidth') ?? '') ?? [];
        const bytesPerSecond = Number(amount) * ({k: 1e3, M: 1e6, G: 1e9, T: 1e12}[prefix] ?? 1);
        // Three digits are told.
        expect(Math.abs(bytesPerSecond / 1e9 - told)).toBeLessThanOrEqual(told * 0.006);
        expect(valueOf(facts, 'bytes')).toMatch(/^[\d,]+ \(.* .*B\)$/);
      }
    });
  },
);

describeEachFile(dataFiles('nsys', 'power-iteration-t4.sqlite'))(
  'sliceFacts(trace, slice, args) of $name',
  ({path}) => {
    it('tells the same of kernels, in the same order, by the limits in the report', async () => {
      const kernels = await factsOf(path, 'kernel', 10);
      for (const {raw, facts} of kernels) {
        expect(facts.slice(0, 5).map(({name}) => name)).toEqual([
          'grid',
          'block',
          'registers',
          'shared memory',
          'theoretical occupancy',
        ]);
        expect(valueOf(facts, 'grid')).toContain(`${valueOf(raw, 'gridX') ?? ''} × ${valueOf(raw, 'gridY') ?? ''} × `);
        expect(valueOf(facts, 'gridX')).toBeUndefined();
        expect(valueOf(facts, 'registers')).toBe(`${valueOf(raw, 'registersPerThread') ?? ''} per thread`);
      }
      expect(kernels.length).toBeGreaterThan(0);
    });
  },
);

it('sliceFacts(trace, slice, args) leaves what is no GPU operation, and what has not the form, as it stands', () => {
  const trace: Trace = traceFromText(`
    call             A
    stream 7          AAA
  `);
  const rowOf = (name: string) => Array.from(trace.slices.name).findIndex(own => trace.strings.get(own) === name);
  const odd = [
    {name: 'grid', value: '[1, 2]'},
    {name: 'block', value: 'x'},
    {name: 'registers per thread', value: '-1'},
    {name: 'shared memory', value: ''},
  ];
  expect(sliceFacts(trace, rowOf('kernel_A'), odd)).toEqual(odd);
  expect(sliceFacts(trace, rowOf('cudaLaunchKernel'), odd)).toBe(odd);
  expect(sliceFacts(trace, -1, odd)).toBe(odd);
});
