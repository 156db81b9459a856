import {describe, expect, it} from 'vitest';
import type {Selection} from '../../../src/core/scope/selection.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {askWork} from '../../../src/core/gpu-work/ask-work.js';
import {workKinds} from '../../../src/core/gpu-work/work-groups.js';
import {workPart} from '../../../src/core/gpu-work/work-part.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** Two steps: a product in "layer" and two sums outside it, of which the second step's take longer. */
async function twoSteps(): Promise<Trace> {
  const program = new GpuProgram();
  for (const [step, us] of [10, 20].entries()) {
    program.range(`ProfilerStep#${String(step)}`, inside => {
      inside.range('layer', layer => layer.launch({name: 'gemm', gpu: 100, operator: 'aten::mm'}));
      inside.launch({name: 'add', gpu: us, operator: 'aten::add'}).launch({name: 'add', gpu: us});
    });
  }
  return traceOfEvents(program.events);
}

const inSteps = async (selection: Selection = {}) => workPart(await twoSteps(), selection, true);

describe('askWork', () => {
  it('has a row for each name, with the work of each step', async () => {
    const {rows} = askWork(await inSteps(), 'kernel');
    expect(rows.map(({name, gpuWorkNs, count, samplesNs}) => [name, gpuWorkNs, count, [...samplesNs]])).toEqual([
      ['gemm', 200_000, 2, [100_000, 100_000]],
      ['add', 60_000, 4, [20_000, 40_000]],
    ]);
  });

  it.each(workKinds)('adds up to the same total by %s', async kind => {
    const {rows, total} = askWork(await inSteps(), kind);
    expect([total.gpuWorkNs, [...total.samplesNs]]).toEqual([260_000, [120_000, 140_000]]);
    expect(rows.reduce((sum, {gpuWorkNs}) => sum + gpuWorkNs, 0)).toBe(260_000);
  });

  it('says how much of the total belongs to rows of the kind', async () => {
    const coverageBy = async (kind: (typeof workKinds)[number]) => askWork(await inSteps(), kind).coverage;
    expect(await coverageBy('kernel')).toBe(1);
    // Half of the sums has no operator.
    expect(await coverageBy('op')).toBeCloseTo(230 / 260, 12);
    expect(await coverageBy('module')).toBe(0);
  });

  it.each([{}, {step: 1}, {range: 'layer'}])(
    'can be asked again by the question in its answer: %j',
    async selection => {
      const part = await inSteps(selection);
      const answer = askWork(part, 'op');
      const {question} = answer;
      expect(askWork(workPart(part.trace, question.selection, question.isPerStep), question.by)).toEqual(answer);
    },
  );
});
