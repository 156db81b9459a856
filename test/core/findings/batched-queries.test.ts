import {expect, it} from 'vitest';
import {batched} from '../../../src/core/findings/batched-queries.js';
import {
  idleCauses,
  idleOf,
  longestIdleStart,
  longIdleCount,
  longIdleOf,
} from '../../../src/core/findings/rules/idle-sql.js';
import {cell} from '../../support/findings.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

it('batched(queries) answers as each query does alone', async () => {
  const program = new GpuProgram();
  for (const us of [40, 2000, 40, 3000]) {
    program.launch({operator: 'aten::mm', gpu: 100}).python(us).launch({operator: 'aten::add', gpu: 50, cpu: 300});
    program.call('cudaMalloc', 80).synchronise();
  }
  const trace = await traceOfEvents(program.events);
  const queries = [
    ...idleCauses.flatMap(cause => [idleOf, longIdleOf, longIdleCount, longestIdleStart].map(query => query(cause))),
    'SELECT count(*) FROM gpu_operations',
  ];
  const {statements, answers} = batched(queries);
  expect(statements).toHaveLength(2);
  const cells = await Promise.all(statements.map(sql => cell(trace, sql)));
  const alone = await Promise.all(queries.map(async sql => [sql, await cell(trace, sql)] as const));
  const found = answers(cells);
  expect(queries.map(sql => [sql, found.get(sql)])).toEqual(alone);
  expect(alone.filter(([, value]) => typeof value === 'number' && value > 0).length).toBeGreaterThan(8);
});

it('batched(queries) leaves other queries as they are', () => {
  const {statements, answers} = batched(['SELECT 1']);
  expect(statements).toEqual(['SELECT 1']);
  expect(answers([1])).toEqual(new Map([['SELECT 1', 1]]));
});
