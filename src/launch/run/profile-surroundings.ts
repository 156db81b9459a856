import type {NsysHints} from '../programs/find-nsys.js';

/** What a run needs from its caller. */
export interface ProfileSurroundings {
  /** The folder of the runner's package. */
  readonly runner: string;
  /** A Python for the runner if the command names none: a path or a name; null for any that is found. */
  readonly python: string | null;
  readonly nsys: NsysHints;
  /** How long an Nsight Systems program may neither write nor end when it waits for nothing else; 0 for no limit. */
  readonly nsysLimitMs: number;
  /** Where the script's standard output goes: to the terminal, or to standard error if our own output is data. */
  readonly stdout: 'inherit' | 'stderr';
  readonly signal: AbortSignal;
  /** Aborts when the user requests a second time to end the run, including the work after the command's end. */
  readonly abandon: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Called once if no process of the run has taken a step for this long. */
  readonly onNoStep: (seconds: number) => void;
}
