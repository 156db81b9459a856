import {expect, it} from 'vitest';
import {idleCauses, idleOf} from '../../../src/core/findings/rules/idle-sql.js';
import {cell} from '../../support/findings.js';
import {kineto} from '../../support/kineto-events.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** Idle ns of a program by cause, of the causes that have any. */
async function idleBy(events: readonly object[]): Promise<Record<string, unknown>> {
  const trace = await traceOfEvents([...events]);
  const found = await Promise.all(idleCauses.map(async cause => [cause, await cell(trace, idleOf(cause))] as const));
  return Object.fromEntries(found.filter(([, ns]) => ns !== 0));
}

const loader = 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__';

it('memory that is allocated inside the data loader is the loader’s time', async () => {
  const program = new GpuProgram().launch({gpu: 100}).python(95);
  program.range(loader, () => program.python(100).call('cudaMalloc', 50).python(100)).launch({gpu: 100});
  // The GPU is idle from 105 to 355 µs, the last 5 of them behind the loader.
  expect(await idleBy(program.events)).toEqual({loader: 245_000, launch: 5_000});
});

it('an operation whose launching call is not in the profile waited for nobody knows what', async () => {
  const program = new GpuProgram().launch({gpu: 100});
  const late = kineto.kernel(999, 305, 10);
  expect(await idleBy([...program.events, late])).toEqual({other: 200_000});
});
