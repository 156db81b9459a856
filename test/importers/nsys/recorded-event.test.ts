import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {recordedEvent} from '../../../src/importers/nsys/events/recorded-event.js';
import {NsysDatabase} from '../../../src/importers/nsys/database/nsys-database.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const waits = 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION';

describe('recordedEvent(db, table, row)', async () => {
  const folder = temporaryFolder();
  const opened: NsysDatabase[] = [];
  const open = async (name: string, sql = '') => {
    const db = new NsysDatabase(await readFileHead(writeNsysDatabase(join(folder, name), sql)));
    opened.push(db);
    return db;
  };
  afterAll(() => {
    for (const db of opened) db.close();
  });
  // Event 5 is recorded twice on stream 7, then on 9, and by another process on 13.
  const records = `
    create table CUPTI_ACTIVITY_KIND_CUDA_EVENT (eventId int, streamId int, correlationId int, globalPid int);
    insert into CUPTI_ACTIVITY_KIND_CUDA_EVENT values (5, 7, 10, 1), (5, 7, 20, 1), (5, 9, 40, 1), (5, 13, 25, 2), (6, 8, 28, 1);
  `;
  const db = await open('records.sqlite', records);
  const wait = {eventId: 5n, correlationId: 30n, globalPid: 1n};
  const words = (stream: number, record: number) => [
    {name: 'wait_on_stream', value: String(stream)},
    {name: 'wait_on_cuda_event_record_corr_id', value: String(record)},
  ];

  it('is the last record of the event before the wait, in its process', () => {
    expect(recordedEvent(db, waits, wait)).toEqual(words(7, 20));
    expect(recordedEvent(db, waits, {...wait, correlationId: 41n})).toEqual(words(9, 40));
    expect(recordedEvent(db, waits, {...wait, globalPid: 2n})).toEqual(words(13, 25));
    // Without a process all records may be meant.
    expect(recordedEvent(db, waits, {...wait, globalPid: null})).toEqual(words(13, 25));
  });

  it('is nothing of other rows, of events without a record, and of what is no number', () => {
    expect(recordedEvent(db, 'CUPTI_ACTIVITY_KIND_KERNEL', wait)).toEqual([]);
    expect(recordedEvent(db, waits, {...wait, correlationId: 10n})).toEqual([]);
    expect(recordedEvent(db, waits, {...wait, eventId: 99n})).toEqual([]);
    expect(recordedEvent(db, waits, {...wait, eventId: '5'})).toEqual([]);
    expect(recordedEvent(db, waits, {eventId: 5n})).toEqual([]);
  });

  it('is nothing of files without records, or without the columns that tell of them', async () => {
    expect(recordedEvent(await open('none.sqlite'), waits, wait)).toEqual([]);
    const old = `create table CUPTI_ACTIVITY_KIND_CUDA_EVENT (eventId int, correlationId int);
      insert into CUPTI_ACTIVITY_KIND_CUDA_EVENT values (5, 10);`;
    expect(recordedEvent(await open('old.sqlite', old), waits, wait)).toEqual([]);
  });
});
