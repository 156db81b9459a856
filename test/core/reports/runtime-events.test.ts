import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {expect, it} from 'vitest';
import {columnHeader} from '../../../src/core/reports/report.js';
import {reportsOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {project, temporaryFolder} from '../../support/project.js';

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

/** What nsys 2022.4.2 prints of reports.sql with beside.sql: `nsys-program.test.ts` compares with nsys itself, where it is. */
it('vulkan_api_sum, vulkan_api_trace and openacc_sum are what nsys prints of the same tables', async () => {
  const path = join(temporaryFolder(), 'beside.sqlite');
  const db = new Database(path);
  for (const name of ['reports.sql', 'beside.sql']) {
    db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', name), 'utf8'));
  }
  db.close();
  const reports = await reportsOfFile(path, ['vulkan_api_sum', 'vulkan_api_trace', 'openacc_sum']);
  const [sum, trace, openacc] = reports.map(report => textRows(report).map(row => Object.values(row).join()));
  expect(reports[1]?.columns.map(columnHeader).join()).toBe(
    'Start (ns),Duration (ns),Name,Event Class,Context,CorrID,Pid,Tid,T-Pri,Thread Name',
  );
  expect(sum).toEqual([
    '55.7,251,2,125.5,125.5,51,200,105.4,vkQueueSubmit',
    '39.9,180,2,90.0,90.0,30,150,84.9,vkCreateBuffer',
    '4.4,20,1,20.0,20.0,20,20,0.0,vkQueueSubmit_v10',
  ]);
  expect(trace).toEqual([
    '100,150,vkCreateBuffer_v1000,53,3,12,10,10,20,python',
    '300,20,vkQueueSubmit_v10,53,4,14,10,11,20,worker',
    '400,20,vkQueueSubmit,54,4,15,10,11,20,worker',
    '500,30,vkCreateBuffer_v1000,53,None,None,20,20,None,None',
    '700,200,vkQueueSubmit,53,3,11,10,10,20,python',
    '950,51,vkQueueSubmit,53,4,13,10,10,20,python',
  ]);
  expect(openacc?.map(row => row.replace(/,.*,/, ' '))).toEqual([
    '64.1 Compute Construct',
    '21.4 Enter Data',
    '8.1 Enter Data@main.c:14',
    '6.4 Enter Data@main.c:12',
  ]);
});

it('vulkan_api_sum takes rows without a class for calls', async () => {
  const sql = `insert into StringIds values (900, 'vkQueueSubmit');
    create table VULKAN_API (start integer, "end" integer, globalTid integer, nameId integer);
    insert into VULKAN_API values (100, 300, ${String(thread)}, 900);`;
  const path = writeNsysDatabase(join(temporaryFolder(), 'vulkan.sqlite'), sql);
  const [sum, trace] = await reportsOfFile(path, ['vulkan_api_sum', 'vulkan_api_trace']);
  expect(sum && textRows(sum).map(row => [row['Num Calls'], row['Name']])).toEqual([['1', 'vkQueueSubmit']]);
  expect(trace && textRows(trace).map(row => [row['Event Class'], row['Context'], row['CorrID']])).toEqual([
    ['None', 'None', 'None'],
  ]);
});
