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

it('batched(queries) asks queries with the same tables at once, and each answer is as exact as alone', async () => {
  const tables = `WITH a(x, name) AS (VALUES (1, ') SELECT "'), (0.1 + 0.2, NULL)), b AS (SELECT max(x) AS top FROM a) `;
  const queries = [
    `${tables}SELECT x FROM a ORDER BY x`,
    `${tables}SELECT top FROM b`,
    'SELECT 1',
    'SELECT 1',
    `${tables}SELECT name FROM a ORDER BY x DESC LIMIT 1`,
    `${tables}SELECT x FROM a WHERE x > 5`,
    `${tables}SELECT top * 4503599627370497 FROM b`,
    'WITH c AS (SELECT 2 AS y) SELECT y FROM c',
  ];
  const {statements, answers} = batched(queries);
  expect(statements).toHaveLength(3);
  const trace = await traceOfEvents(new GpuProgram().launch({gpu: 1}).events);
  const found = answers(await Promise.all(statements.map(sql => cell(trace, sql))));
  const alone = await Promise.all(queries.map(sql => cell(trace, sql)));
  expect(queries.map(sql => found.get(sql))).toEqual(alone);
  expect(alone).toEqual([0.1 + 0.2, 1, 1, 1, ') SELECT "', null, 4503599627370497, 2]);
});
