import {join} from 'node:path';
import {expect, it} from 'vitest';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();

it.each([
  ['a start that is a text', `update NVTX_EVENTS set start = '99999999' where "end" = 1250`],
  ['an end that is a text', `update NVTX_EVENTS set "end" = 'never' where "end" = 1250`],
  ['an end before its start', `update NVTX_EVENTS set "end" = -5 where "end" = 1250`],
  ['a start that no double holds', `update NVTX_EVENTS set start = 9007199254740993, "end" = null where "end" = 1250`],
])('a range that never ended ends with the last event, beside %s', async (_, sql) => {
  const rows = textRows(await reportOfFile(writeNsysDatabase(join(folder, 'open.sqlite'), sql), 'nvtx_pushpop_trace'));
  expect(rows.find(({Name}) => Name === 'open')).toMatchObject({'Start (ns)': '1400', 'End (ns)': '1850'});
});
