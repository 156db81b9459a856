import type {VulkanCall} from '../../core/figures/report-details.js';
import {kindIndex} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {NsysDatabase} from './database/nsys-database.js';
import {sourceOf} from './events/row-place.js';
import {slicesBySource} from './slices-by-source.js';

const table = 'VULKAN_API';

/** Returns the file's Vulkan calls by their row in the trace's `slices`. */
export function readVulkanCalls(db: NsysDatabase, trace: Trace): ReadonlyMap<number, VulkanCall> {
  const calls = new Map<number, VulkanCall>();
  if (!db.has(table)) return calls;
  const sliceOf = slicesBySource(trace, kindIndex.vulkan_call);
  const columns = ['eventClass', 'contextId', 'correlationId'].map(name => db.column(table, name, 'null'));
  const sql = `select rowid, ${columns.join()} from ${table}`;
  for (const [rowid, ...values] of db.rows<[number, unknown, unknown, unknown]>(sql)) {
    const slice = sliceOf.get(sourceOf(table, rowid));
    if (slice === undefined) continue;
    const [eventClass = NaN, context = NaN, correlation = NaN] = values.map(value =>
      typeof value === 'number' ? value : NaN,
    );
    calls.set(slice, {eventClass, context, correlation});
  }
  return calls;
}
