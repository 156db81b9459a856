import type {NsysHints} from '../programs/find-nsys.js';

/** What a run needs of whoever asked for it. */
export interface ProfileSurroundings {
  /** The folder of the runner's package. */
  readonly runner: string;
  /** A Python for the runner, where the command names none: a path or a name; null for any that is found. */
  readonly python: string | null;
  readonly nsys: NsysHints;
  /** How long a program of Nsight Systems may neither write nor end where nothing else is waited for; 0 for any time. */
  readonly nsysLimitMs: number;
  /** Where the script's standard output goes: the terminal's own, or standard error where ours is for data. */
  readonly stdout: 'inherit' | 'stderr';
  readonly signal: AbortSignal;
  /** Is aborted where the run was asked once more to end: what it still does of its own accord ends, too. */
  readonly abandon: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Told once where no process of the run has taken a step for so long. */
  readonly onNoStep: (seconds: number) => void;
}
