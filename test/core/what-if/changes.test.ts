import {describe, expect, it} from 'vitest';
import {parseChange} from '../../../src/core/what-if/changes/parse-change.js';
import {whatIf, type WhatIfAnswer} from '../../../src/core/what-if/what-if.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** What a trace's prediction with changes is. */
function ask(trace: Trace, ...texts: readonly string[]): WhatIfAnswer {
  const changes = texts.map(text => {
    const change = parseChange(text);
    if (typeof change === 'string') throw new RangeError(change);
    return change;
  });
  return whatIf(trace, null, changes);
}

const us = 1000;

describe('changes of a replay', () => {
  it('take a kernel’s time away where the GPU holds the step, and nothing where the CPU does', async () => {
    const gpuBound = await traceOfEvents(new GpuProgram().launches(10, {gpu: 50, cpu: 5}).events);
    // Ten kernels of 50 µs become ten of 25 µs, one behind the other.
    expect(ask(gpuBound, 'faster=gemm:2')).toMatchObject({measuredNs: 500 * us, predictedNs: 250 * us});
    const cpuBound = await traceOfEvents(new GpuProgram().launches(10, {gpu: 4, cpu: 40}).events);
    const {measuredNs, predictedNs} = ask(cpuBound, 'faster=gemm:2');
    // Only the last kernel is on the path.
    expect(measuredNs).toBe(364 * us);
    expect(predictedNs).toBe(362 * us);
  });

  it('make launching calls cheaper by their own time alone', async () => {
    const trace = await traceOfEvents(new GpuProgram().launches(10, {gpu: 4, cpu: 40}).events);
    // Nine calls of 38 µs lie between the first kernel’s start and the last one’s; delays are 0 to 1 µs.
    const {predictedNs} = ask(trace, 'launch-cost=0.5');
    expect(predictedNs).toBeGreaterThanOrEqual((364 - 9 * 19 - 1) * us);
    expect(predictedNs).toBeLessThanOrEqual((364 - 9 * 19 + 1) * us);
  });

  it('compose: each is made to what the last one left', async () => {
    const trace = await traceOfEvents(new GpuProgram().launches(10, {gpu: 60, cpu: 5}).events);
    expect(ask(trace, 'faster=gemm:2', 'faster=gemm:3').predictedNs).toBe(100 * us);
  });

  it('take the time of a loader’s range on the CPU', async () => {
    const thread = {pid: 100, tid: 100};
    const steps = [0, 1, 2, 3].flatMap(step => [
      {...kineto.op(`ProfilerStep#${String(step)}`, 1000 * step, 990), ...thread, cat: 'user_annotation'},
      {...kineto.op('enumerate(DataLoader)#__next__', 1000 * step + 10, 400), ...thread, cat: 'user_annotation'},
      {...kineto.op('aten::mm', 1000 * step + 500, 300), ...thread},
    ]);
    const {measuredNs, predictedNs, intervalNs} = ask(await traceOfEvents(steps), 'data-loader=0');
    expect(measuredNs).toBe(990 * us);
    // Of the 400 µs, 15 % stay (none at the least, half at the most), and all grows by 5 % (0 to 10 %), for the workers.
    const expectedNs = 1.05 * (590 + 0.15 * 400) * us;
    const doubtNs = 0.1 * (990 * us - expectedNs);
    expect(predictedNs).toBe(expectedNs);
    expect(intervalNs).toEqual([590 * us - doubtNs, 1.1 * (590 + 200) * us + doubtNs].map(Math.round));
  });

  it('take what workers cannot make beside the rest of a step', async () => {
    const thread = {pid: 100, tid: 100};
    const steps = [0, 1, 2, 3].flatMap(step => [
      {...kineto.op(`ProfilerStep#${String(step)}`, 1000 * step, 990), ...thread, cat: 'user_annotation'},
      {...kineto.op('enumerate(DataLoader)#__next__', 1000 * step, 800), ...thread, cat: 'user_annotation'},
      {...kineto.op('aten::mm', 1000 * step + 850, 100), ...thread},
    ]);
    const trace = await traceOfEvents(steps);
    // Two workers bring a batch every 400 µs, of which 200 µs pass beside the rest of a step: 200 µs are waited for.
    const two = ask(trace, 'loader-workers=2');
    expect(two.predictedNs).toBeCloseTo(1.05 * (190 + 200) * us, 0);
    const doubtNs = 0.1 * (990 * us - (two.predictedNs ?? NaN));
    // At the least nothing else grows; at the most nothing is made beside the rest, and all grows by 10 %.
    expect(two.intervalNs?.[0]).toBeCloseTo((190 + 200) * us - doubtNs, 0);
    expect(two.intervalNs?.[1]).toBeCloseTo(1.1 * (190 + 400) * us + doubtNs, 0);
    // Eight bring one every 100 µs, which costs its handing over alone: 15 %.
    expect(ask(trace, 'loader-workers=8').predictedNs).toBeCloseTo(1.05 * (190 + 0.15 * 800) * us, 0);
    expect(parseChange('loader-workers=0')).toBe(
      'The change loader-workers needs a number of workers from 1 to 1024, not "0".',
    );
  });

  it('tell nothing of more workers where workers make the batches already: only the waiting for them is recorded', async () => {
    const steps = [0, 1, 2, 3].flatMap(step => [
      kineto.range(`ProfilerStep#${String(step)}`, 1000 * step, 990),
      kineto.range('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 1000 * step, 400),
      kineto.op('aten::mm', 1000 * step + 500, 300),
    ]);
    const {predictedNs, notes} = ask(await traceOfEvents(steps), 'loader-workers=4');
    expect(predictedNs).toBeNull();
    expect(notes[0]?.text).toContain('workers already make the batches');
  });

  it('are not predicted where the profile does not say enough, and the note says why', async () => {
    const trace = await traceOfEvents(new GpuProgram().launches(10, {gpu: 50}).events);
    for (const change of [
      'data-loader=0',
      'loader-workers=4',
      'faster=unheard_of:2',
      'overlap-communication',
      'precision=bf16',
      'gpu=h100',
    ]) {
      const {predictedNs, intervalNs, notes, errorPercent} = ask(trace, change);
      expect({change, predictedNs, intervalNs}).toEqual({change, predictedNs: null, intervalNs: null});
      expect(errorPercent).toBe(0);
      expect(notes[0]).toMatchObject({code: 'what-if/unknown'});
    }
  });

  it('are refused where they are none, or have a value that is none', () => {
    expect(parseChange('remove-everything')).toMatch(
      /^There is no change "remove-everything"; there are remove-sync\[=NAME\], /,
    );
    expect(parseChange('faster=gemm')).toBe('The change faster needs a name and a factor: faster=NAME:FACTOR.');
    expect(parseChange('launch-cost=fast')).toBe('The change launch-cost needs a factor from 0 to 1000, not "fast".');
    // What nobody can mean is refused rather than computed with.
    for (const text of ['loader-workers=1e23', 'loader-workers=99999999999999999999999', 'loader-workers=1025']) {
      expect(parseChange(text)).toMatch(/needs a number of workers from 1 to 1024, not "/);
    }
    for (const text of ['data-loader=inf', 'launch-cost=1001', 'launch-cost=-1', 'data-loader= ']) {
      expect(parseChange(text)).toMatch(/needs a factor from 0 to 1000, not "/);
    }
    for (const text of ['batch=0', 'batch=1e23', 'bucket-size=inf', 'bucket-size=0']) {
      expect(parseChange(text)).toMatch(/needs a factor from 0\.001 to 1000, not "/);
    }
    expect(parseChange('faster=gemm:1e23')).toBe(
      'The change faster needs a factor from 0.001 to 1000, not "1e23"; inf removes it.',
    );
    for (const text of ['faster=gemm:inf', 'batch=0.5', 'loader-workers=1024', 'launch-cost=0']) {
      expect(parseChange(text)).toMatchObject({text});
    }
    expect(parseChange('gpu=abacus')).toMatch(/knows no GPU "abacus"/);
  });
});
