import type {InstantKind} from '../../../core/trace/instants.js';
import type {MemoryChange} from '../../../core/trace/point-builder.js';
import type {NsysReader} from '../database/nsys-reader.js';

/** Adds an instant, or counts a row without a usable time. `memory` is null unless it is a memory event. */
export function addInstant(
  reader: NsysReader,
  track: number,
  atNs: number,
  name: number,
  kind: InstantKind,
  memory: MemoryChange | null,
  source: number,
): void {
  // SQLite columns may hold any type, whatever their declaration.
  if (Number.isSafeInteger(atNs)) reader.builder.points.addInstant(track, atNs, name, kind, memory, source);
  else reader.invalidRows++;
}
