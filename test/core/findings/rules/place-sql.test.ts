import {expect, it} from 'vitest';
import {frameFile, frameLine} from '../../../../src/core/findings/rules/place-sql.js';
import {kineto} from '../../../support/kineto-events.js';
import {sqlRows} from '../../../support/sql-rows.js';
import {traceOfEvents} from '../../../support/trace-of-events.js';

it.each([
  // PyTorch cuts the folder that it finds a package in off the path.
  ['transformers/models/bert/modeling_bert.py(210): forward'],
  ['torch/nn/modules/module.py(1): _call_impl'],
  ['accelerate\\utils\\operations.py(7): convert'],
  ['/home/someone/env/lib/python3.11/site-packages/mine/loop.py(7): run'],
  ['/usr/lib/python3/dist-packages/mine/loop.py(7): run'],
  ['C:\\Python\\Lib\\site-packages\\mine\\loop.py(7): run'],
])('leads to the person’s own function around %s', async library => {
  const trace = await traceOfEvents([
    kineto.python('project/train.py(12): step', 0, 100),
    kineto.python(library, 10, 80),
    kineto.op('aten::mm', 20, 50),
  ]);
  const where = "name = 'aten::mm'";
  const cell = async (sql: string) => Object.values((await sqlRows(trace, sql))[0] ?? {});
  expect(await cell(frameFile(where))).toEqual(['project/train.py']);
  expect(await cell(frameLine(where))).toEqual([12]);
});
