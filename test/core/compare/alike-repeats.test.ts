import {expect, it} from 'vitest';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import {workKinds} from '../../../src/core/gpu-work/work-groups.js';
import {runOf} from '../../support/compared-runs.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
    range step_1    ===
    call            A
    stream 7         AA
`);
const named = (name: string, torch = '2.7') => ({
  ...runOf({...trace, devices: [{id: 0, name}]}),
  sidecar: {torch, python: '3.12', script: 'a.py'},
});

it('counts repeats that are comparable with the run of their side, and no others', () => {
  const before = [named('A100'), named('H100'), named('A100', '2.6')];
  const after = [named('A100'), named('H100'), named('H100')];
  const {noise} = compareRuns(named('A100'), named('H100'), workKinds, {before, after});
  expect([noise.baseRuns, noise.changedRuns]).toEqual([2, 3]);
});
