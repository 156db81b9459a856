import {join} from 'node:path';
import {expect, it} from 'vitest';
import {columnHeader} from '../../../src/core/reports/report.js';
import {reportsOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const thread = 281475144482826;

/** As exports with OpenMP and OpenACC have them: tables by kind of event, names in `StringIds`. */
const events = `
  insert into StringIds values (901, 'Parallel region'), (902, 'Task'), (903, 'Enter Data'), (904, 'Compute Construct');
  create table OPENMP_EVENT_KIND_PARALLEL (start integer, "end" integer, eventClass integer, globalTid integer, nameId integer);
  insert into OPENMP_EVENT_KIND_PARALLEL values (100, 400, 70, ${String(thread)}, 901), (500, 600, 70, ${String(thread)}, 901);
  create table OPENMP_EVENT_KIND_TASK (start integer, "end" integer, eventClass integer, globalTid integer, nameId integer);
  insert into OPENMP_EVENT_KIND_TASK values (120, 220, 70, ${String(thread)}, 902);
  create table CUPTI_ACTIVITY_KIND_OPENACC_DATA (start integer, "end" integer, nameId integer, globalTid integer, eventKind integer);
  insert into CUPTI_ACTIVITY_KIND_OPENACC_DATA values (700, 750, 903, ${String(thread)}, 1);
  create table CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH (start integer, "end" integer, nameId integer, globalTid integer, eventKind integer);
  insert into CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH values (800, 950, 904, ${String(thread)}, 2);`;

it('openmp_sum and openacc_sum have the columns and rows that nsys makes of their tables', async () => {
  const path = writeNsysDatabase(join(temporaryFolder(), 'events.sqlite'), events);
  const [openmp, openacc, oldName] = await reportsOfFile(path, ['openmp_sum', 'openacc_sum', 'openaccsum']);
  expect(openmp?.columns.map(columnHeader)).toEqual([
    ...['Time (%)', 'Total Time (ns)', 'Count', 'Avg (ns)', 'Med (ns)', 'Min (ns)', 'Max (ns)', 'StdDev (ns)', 'Name'],
  ]);
  expect(openmp && textRows(openmp).map(row => Object.values(row))).toEqual([
    ['80.0', '400', '2', '200.0', '200.0', '100', '300', '141.4', 'Parallel region'],
    ['20.0', '100', '1', '100.0', '100.0', '100', '100', '0.0', 'Task'],
  ]);
  expect(openacc && textRows(openacc).map(row => [row['Time (%)'], row['Count'], row['Name']])).toEqual([
    ['75.0', '1', 'Compute Construct'],
    ['25.0', '1', 'Enter Data'],
  ]);
  expect(oldName && textRows(oldName)).toEqual(openacc && textRows(openacc));
});
