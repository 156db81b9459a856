import {expect, it} from 'vitest';
import type {GpuProgram} from '../../support/gpu-program.js';
import {busy, findingsOf} from '../../support/made-findings.js';

it('steps that are uneven on the CPU alone are said to be that', async () => {
  const titleOf = async (make: (program: GpuProgram) => void) =>
    (await findingsOf(make)).find(({rule}) => rule === 'doubt/uneven-steps')?.title;
  const lengths = [100, 100, 900, 1500, 1000, 1000];
  const isEven = (program: GpuProgram) => {
    for (const [at, us] of lengths.entries())
      program.range(`ProfilerStep#${String(at)}`, () => program.launch({gpu: 1000}).python(us - 5));
  };
  const isUneven = (program: GpuProgram) => {
    for (const [at, us] of lengths.entries())
      program.range(`ProfilerStep#${String(at)}`, () => program.launch({gpu: us}).synchronise());
  };
  expect(await titleOf(isEven)).toContain('on the CPU alone');
  expect(await titleOf(isUneven)).toMatch(/^Steps are uneven: /);
});

it('a few long gaps are told from many short ones: the CPU does something else than launch', async () => {
  const titleOf = async (make: (program: GpuProgram) => void) =>
    (await findingsOf(make)).find(({rule}) => rule === 'idle/launch-bound')?.title;
  const short = (program: GpuProgram) => program.launches(500, {gpu: 3, cpu: 12});
  expect(await titleOf(short)).toContain('too slowly');
  // The short gaps are 500 × 9 µs: two of 2 ms are less than half of all, three are more.
  expect(
    await titleOf(program => short(program).python(2000).launch({gpu: 3}).python(2000).launch({gpu: 3})),
  ).toContain('too slowly');
  const thrice = (program: GpuProgram) => {
    short(program);
    for (let at = 0; at < 3; at++) program.python(2000).launch({gpu: 3});
  };
  expect(await titleOf(thrice)).toMatch(/something other than launch.* in 3 long gaps/);
});

it('one call that takes longer than all other allocations is told from many', async () => {
  const titleOf = async (longestUs: number) => {
    const make = (program: GpuProgram) => {
      for (let at = 0; at < 5; at++) busy(program).call('cudaMalloc', 200);
      busy(program).call('cudaFree', longestUs);
      busy(program);
    };
    return (await findingsOf(make)).find(({rule}) => rule === 'idle/allocation')?.title;
  };
  expect(await titleOf(800)).toContain('in 6 calls');
  expect(await titleOf(1200)).toContain('most of the time in one call');
});
