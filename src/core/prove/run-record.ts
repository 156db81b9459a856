import {greatest} from '../table/extremes.js';
import {
  stepKinds,
  type ProcessRecord,
  type SameRecord,
  type StepClock,
  type Surroundings,
  type WorkRecord,
} from './process-record.js';

/** The record of a run of the command, over all of its processes. */
export interface RunRecord {
  readonly status: number;
  /** From the start of the command to its end, in ns. */
  readonly wallNs: number;
  /** The time of the longest import of torch; 0 if there was none. */
  readonly importNs: number;
  /**
   * How long it only waited for a processor used by other programs, outside that import; null if unknown, or if there
   * is more than one process.
   */
  readonly waitedNs: number | null;
  /** Standard output, in which the folders of the run are replaced by ".". */
  readonly printed: string;
  /** The last line of standard error. */
  readonly complaint: string;
  readonly work: WorkRecord | null;
  readonly clock: StepClock | null;
  readonly same: SameRecord | null;
  readonly surroundings: Surroundings;
}

/**
 * Returns the record of a run from its processes: the work is that of the process with the most steps; files and
 * profilers are those of all.
 */
export function runRecord(
  run: Pick<RunRecord, 'status' | 'wallNs' | 'printed' | 'complaint'> & {readonly pid: number | null},
  processes: readonly ProcessRecord[],
): RunRecord {
  const works = processes.map(({work}) => work).filter(work => work !== null);
  const clocks = processes.map(({clock}) => clock).filter(clock => clock !== null);
  const sames = processes.map(({same}) => same).filter(same => same !== null);
  const merged = (of: (one: Surroundings) => readonly string[]) => [
    ...new Set(processes.flatMap(({surroundings}) => of(surroundings))),
  ];
  const {pid, ...told} = run;
  const only = processes.length === 1 ? processes.at(0) : undefined;
  return {
    ...told,
    // A shell may have started other programs than Python.
    waitedNs: only && pid !== null && only.pid === pid ? only.waitedNs : null,
    importNs: greatest(
      processes.map(({importNs}) => importNs ?? 0),
      0,
    ),
    work: works.toSorted(bySteps).at(0) ?? null,
    clock: clocks.toSorted((a, b) => b.count - a.count).at(0) ?? null,
    same: sames.find(same => !('error' in same)) ?? sames.at(0) ?? null,
    surroundings: {
      reads: merged(({reads}) => reads),
      outerReads: merged(({outerReads}) => outerReads),
      leftReads: merged(({leftReads}) => leftReads),
      profilers: merged(({profilers}) => profilers),
      foreignCode: merged(({foreignCode}) => foreignCode),
    },
  };
}

function bySteps(a: WorkRecord, b: WorkRecord): number {
  for (const kind of stepKinds) if (a.counts[kind] !== b.counts[kind]) return b.counts[kind] - a.counts[kind];
  return b.inputElements - a.inputElements;
}
