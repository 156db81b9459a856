import type {PartRows} from '../../core/export/part-rows.js';
import type {Trace} from '../../core/trace/trace.js';
import type {FileHead, ImportOptions} from '../reading/importer.js';
import type {EventBatch} from './event-batch.js';
import {readChromeTrace} from './read-chrome-trace.js';
import {readEventsAt} from './read-arguments.js';
import {isFlow, phase} from './scanned-event.js';

/** Members of a trace that describe the recording; of the machine, only its GPUs. */
const keptMembers = new Set(
  [
    'schemaVersion displayTimeUnit baseTimeNanoseconds deviceProperties distributedInfo',
    'cupti_version cuda_runtime_version cuda_driver_version hip_runtime_version hip_driver_version roctracer_version',
    'with_flops record_shapes profile_memory with_stack with_modules',
  ].flatMap(names => names.split(' ')),
);

const counterPhase = 'C'.charCodeAt(0);

/**
 * Returns a part of a Kineto trace, copied from its file: the events of some rows with all their arguments, the names
 * of processes and threads, flows with both ends in the part, and counter samples in its time.
 *
 * @returns the texts of the new file; null if rows are not one event each, such as slices of two events (`B` and `E`)
 * @throws TraceError `file/…`, `import/cancelled`
 */
export async function kinetoPart(
  file: FileHead,
  trace: Trace,
  rows: PartRows,
  options: ImportOptions,
): Promise<string[] | null> {
  const startOf = startsByOffset(trace, rows);
  const found = new PartEvents(startOf);
  await readChromeTrace(file, found, options);
  const offsets = found.offsets(rows);
  if (offsets === null) return null;
  const members = [...found.members].map(([key, json]) => `${JSON.stringify(key)}:${json},\n`);
  const texts = ['{', ...members, '"traceEvents":[\n'];
  let isFirst = true;
  await readEventsAt(file, offsets, options, (_, text) => {
    texts.push(isFirst ? text : `,\n${text}`);
    isFirst = false;
  });
  texts.push('\n]}\n');
  return texts;
}

/** Returns the start of each kept event by its offset, in ns from the trace's origin. */
function startsByOffset({slices, instants}: Trace, rows: PartRows): Map<number, number> {
  const startOf = new Map<number, number>();
  for (let row = 0; row < slices.length; row++) {
    // Events added by a capture are in another file.
    if (rows.slices[row] === 1 && slices.source[row] >= 0) startOf.set(slices.source[row], slices.startNs[row]);
  }
  for (let row = 0; row < instants.length; row++) {
    if (rows.instants[row] === 1) startOf.set(instants.source[row], instants.atNs[row]);
  }
  return startOf;
}

/** The file's other contents, collected during the scan. */
class PartEvents {
  readonly members = new Map<string, string>();
  readonly #kept: number[] = [];
  readonly #names: number[] = [];
  readonly #flows: {offset: number; id: string; atNs: number}[] = [];
  readonly #samples: {offset: number; atNs: number}[] = [];
  #baseUs = NaN;
  /** The trace's origin, from the base. */
  #originNs = NaN;
  #isPlain = true;

  constructor(private readonly startOf: ReadonlyMap<number, number>) {}

  text(): void {
    // Names are copied verbatim.
  }

  metadata(key: string, json: string): void {
    if (keptMembers.has(key)) this.members.set(key, json);
  }

  events({columns, length}: EventBatch): void {
    for (let row = 0; row < length; row++) {
      const offset = columns.offset[row];
      const eventPhase = columns.phase[row];
      // Epoch ns do not fit a double; names of threads have time 0.
      if (Number.isNaN(this.#baseUs) && eventPhase === phase.complete) this.#baseUs = columns.startUs[row];
      const ns = (columns.startUs[row] - this.#baseUs) * 1000 + columns.startThousandths[row];
      const startNs = this.startOf.get(offset);
      if (startNs !== undefined) {
        this.#kept.push(offset);
        if (Number.isNaN(this.#originNs)) this.#originNs = ns - startNs;
        if (eventPhase !== phase.complete && eventPhase !== phase.instant) this.#isPlain = false;
      } else if (eventPhase === phase.metadata) this.#names.push(offset);
      else if (isFlow(eventPhase))
        this.#flows.push({offset, id: `${String(columns.category[row])} ${String(columns.id[row])}`, atNs: ns});
      else if (eventPhase === counterPhase) this.#samples.push({offset, atNs: ns});
    }
  }

  /** Returns the offsets of the part's events in the file, ascending; null if some rows are not one event each. */
  offsets({fromNs, toNs}: PartRows): Float64Array | null {
    if (!this.#isPlain || this.#kept.length < this.startOf.size) return null;
    const starts = new Set(this.startOf.values());
    const isInside = (atNs: number) => atNs - this.#originNs >= fromNs && atNs - this.#originNs < toNs;
    const ends = new Map<string, number>();
    const flows = this.#flows.filter(({atNs}) => starts.has(atNs - this.#originNs));
    for (const {id} of flows) ends.set(id, (ends.get(id) ?? 0) + 1);
    return Float64Array.from([
      ...this.#kept,
      ...this.#names,
      ...flows.filter(({id}) => (ends.get(id) ?? 0) > 1).map(({offset}) => offset),
      ...this.#samples.filter(({atNs}) => isInside(atNs)).map(({offset}) => offset),
    ]).sort();
  }
}
