import type {DetailKind} from '../core/figures/report-details.js';
import {storedName} from './database-schema.js';

/** Columns whose values a trace does not keep, with the details that must be read from the file again. */
const kindOfColumn: Readonly<Record<string, Readonly<Record<string, DetailKind>>>> = {
  gpu_operations: {source_memory: 'memories', target_memory: 'memories'},
  operators: {input_dims: 'shapes', input_types: 'shapes', flop: 'shapes', moved_bytes: 'shapes'},
};

/** All of these. */
export const columnDetails: ReadonlySet<DetailKind> = new Set<DetailKind>([
  ...(['memories', 'shapes', 'collectives', 'addresses'] as const),
]);

/** Returns the details that queries need from the file. @param wanted stored table → the columns that they read */
export function neededDetails(wanted: ReadonlyMap<string, ReadonlySet<string>>): Set<DetailKind> {
  const kinds = new Set<DetailKind>();
  for (const [table, kindOf] of Object.entries(kindOfColumn)) {
    for (const column of wanted.get(storedName(table)) ?? []) {
      if (Object.hasOwn(kindOf, column)) kinds.add(kindOf[column]);
    }
  }
  // Every column of a collective call, or of an allocation, depends on its details.
  if (wanted.has(storedName('collectives'))) kinds.add('collectives');
  if (wanted.has(storedName('allocations'))) kinds.add('addresses');
  return kinds;
}
