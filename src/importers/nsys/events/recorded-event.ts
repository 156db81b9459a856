import type {SliceArgument} from '../../../core/questions/slice-details.js';
import type {NsysDatabase} from '../database/nsys-database.js';

const waits = 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION';
const records = 'CUPTI_ACTIVITY_KIND_CUDA_EVENT';

/**
 * Returns the target of a synchronisation, in Kineto's terms: the stream and the call that last recorded its event.
 * Correlation ids ascend with the calls of a process. Empty for other rows, and if the file has no such record.
 */
export function recordedEvent(
  db: NsysDatabase,
  table: string,
  {eventId, correlationId, globalPid}: Readonly<Record<string, unknown>>,
): SliceArgument[] {
  if (
    table !== waits ||
    !db.has(records) ||
    !['eventId', 'streamId', 'correlationId'].every(name => hasColumn(db, name))
  )
    return [];
  if (typeof eventId !== 'bigint' || typeof correlationId !== 'bigint') return [];
  const isOfProcess = typeof globalPid === 'bigint' && hasColumn(db, 'globalPid');
  const row = db.row(
    `select streamId, correlationId from ${records} where eventId = ? and correlationId < ?
      ${isOfProcess ? 'and globalPid = ?' : ''} order by correlationId desc limit 1`,
    eventId,
    correlationId,
    ...(isOfProcess ? [globalPid] : []),
  );
  if (!row) return [];
  return [
    {name: 'wait_on_stream', value: String(row['streamId'])},
    {name: 'wait_on_cuda_event_record_corr_id', value: String(row['correlationId'])},
  ];
}

function hasColumn(db: NsysDatabase, column: string): boolean {
  return db.columns(records).includes(column);
}
