import {expect, it} from 'vitest';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import type {SelectedRun} from '../../../src/core/compare/run-comparison-input.js';
import type {Trace, TraceMeta} from '../../../src/core/trace/trace.js';
import {runOf} from '../../support/compared-runs.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
    range step_1    ===
    call            A
    stream 7         AA
`);
const withMeta = (meta: Partial<TraceMeta>): SelectedRun => runOf({...trace, meta: {...trace.meta, ...meta}});
const named = (name: string): SelectedRun => runOf({...trace, devices: [{id: 0, name}]});
const verdictOf = (base: SelectedRun, changed: SelectedRun) => {
  const {comparable} = compareRuns(base, changed);
  return [comparable.verdict, ...comparable.reasons.map(({code}) => code)];
};

it.each<[string, SelectedRun, SelectedRun, string[]]>([
  ['the GPU model', named('A100'), named('H100'), ['no', 'gpu-model']],
  ['a GPU model that one does not name', runOf(trace), named('H100'), ['partly', 'gpu-model']],
  ['the number of ranks', withMeta({worldSize: 2}), withMeta({worldSize: 8}), ['no', 'world-size']],
  ['the rank', withMeta({rank: 0}), withMeta({rank: 1}), ['partly', 'rank']],
  ['the profiler', withMeta({profiler: 'a'}), withMeta({profiler: 'b'}), ['partly', 'profiler']],
  ['its version', withMeta({version: '1'}), withMeta({version: '2'}), ['partly', 'profiler-version']],
  ['the driver', withMeta({driver: '570'}), withMeta({driver: '580'}), ['partly', 'driver']],
  [
    'PyTorch',
    {...runOf(trace), sidecar: {torch: '2.6', python: '3.12', script: 'a.py'}},
    {...runOf(trace), sidecar: {torch: '2.7', python: '3.12', script: 'a.py'}},
    ['partly', 'torch'],
  ],
  [
    'what was lost',
    runOf(trace),
    runOf({...trace, notes: [{code: 'file/damaged', text: 'The file is damaged.'}]}),
    ['partly', 'left-out'],
  ],
  ['nothing', withMeta({rank: 0}), withMeta({rank: 0}), ['yes']],
  ['what one side does not say', withMeta({rank: 0}), withMeta({rank: null}), ['yes']],
])('runs that differ in %s', (_, base, changed, expected) => {
  expect(verdictOf(base, changed)).toEqual(expected);
});

it('names what one side lost, and that the other lost nothing', () => {
  const notes = ['run/partial', 'file/damaged'].map(code => ({code, text: ''}));
  const [lost, whole] = [runOf({...trace, notes}), runOf(trace)];
  expect(compareRuns(lost, whole).comparable.reasons).toEqual([
    {
      ...{code: 'left-out', base: 'file/damaged, run/partial', changed: 'none'},
      text: 'Events were lost or left out: file/damaged, run/partial in the base, none in the changed run.',
    },
  ]);
});

it('calls a GPU unknown only where a profile does not name it', () => {
  expect(compareRuns(named('A100'), runOf(trace)).comparable.reasons.map(({text}) => text)).toEqual([
    'The GPU models differ: A100 in the base, unknown in the changed run.',
  ]);
});

it('names both sides in a sentence', () => {
  expect(compareRuns(named('A100'), named('H100')).comparable.reasons).toEqual([
    {
      ...{code: 'gpu-model', base: 'A100', changed: 'H100'},
      text: 'The GPU models differ: A100 in the base, H100 in the changed run.',
    },
  ]);
});

const draw = (drawing: string): Trace => traceFromText(drawing);

it('tells of GPUs, steps and data types', () => {
  const twoGpus = draw(`
    range step_1    ====
    call            A B
    stream 0.7       AA
    stream 1.7         BB
`);
  const withoutSteps = draw(`
    call            A
    stream 7         AA
`);
  const fromZero = draw(`
    range step_0    ===
    call            A
    stream 7         AA
`);
  const without = draw(`
    range step_1    ===
`);
  expect(verdictOf(runOf(trace), runOf(twoGpus))).toEqual(['no', 'gpu-count']);
  expect(verdictOf(runOf(trace), runOf(withoutSteps))).toEqual(['partly', 'steps']);
  expect(verdictOf(runOf(trace), runOf(fromZero))).toEqual(['partly', 'warm-up']);
  expect(verdictOf(runOf(trace), runOf(without))).toEqual(['no', 'no-gpu-work', 'gpu-count']);
});

it('says that the programs may differ where little of the larger run’s work is of classes that both have', () => {
  const work = (kernels: string): Trace =>
    draw(`
    range step_1    =================
    call            A B
    stream 7         ${kernels}
`);
  // Of one class, both have 2 µs: an eighth of 16 µs, and half of 4 µs.
  const alone = {before: work('AA'), after: work('AABBBBBBBBBBBBBB')};
  const half = {before: work('AA'), after: work('AABB')};
  const reasons = ({before, after}: typeof alone) => verdictOf(runOf(before), runOf(after)).slice(1);
  expect(reasons(alone)).toEqual(['work']);
  expect(reasons(half)).toEqual([]);
});
