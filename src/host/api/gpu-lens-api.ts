import type {Event, Uri} from 'vscode';

/** What the extension exports: `vscode.extensions.getExtension<GpuLensExports>('gpu-lens.gpu-lens')?.activate()`. */
export interface GpuLensExports {
  /**
   * Returns the API of a version. A version keeps its members and their meaning; members may be added.
   *
   * @throws Error for a version that this GPU Lens does not have
   */
  getApi(version: 1): GpuLensApi;
}

/** The profile whose figures are shown on lines. */
export interface ActiveProfile {
  readonly uri: Uri;
  /** The name in GPU Lens's lists. */
  readonly name: string;
}

/** The active profile's figures for a line that opens a range, summed over all its ranges. Times are in ns. */
export interface LineFigures {
  /** What the figures are summed over: the whole profile, its steps, or a window of it. */
  readonly of: 'profile' | 'steps' | 'window';
  /** How many steps; 0 unless the figures are of steps. */
  readonly steps: number;
  /** Names of the ranges, most work first; at most 32. */
  readonly names: readonly string[];
  /** How often a range was open; 0 if none ran in the profile. */
  readonly count: number;
  readonly cpuWallNs: number;
  /** GPU operations launched inside on the line's own thread, summed. */
  readonly gpuWorkNs: number;
  /** GPU operations that autograd launched for what the line did forward, summed. */
  readonly backwardGpuWorkNs: number;
  /** GPU operations, forward and backward. */
  readonly operations: number;
  /** Whether the line's block was edited since it ran. */
  readonly isStale: boolean;
}

/** Version 1. */
export interface GpuLensApi {
  readonly version: 1;
  /** Null if no profile is open. */
  readonly activeProfile: ActiveProfile | null;
  readonly onDidChangeActiveProfile: Event<ActiveProfile | null>;
  /** Opens a profile, as "Open Profile…" does, and shows any failure. Returns whether the profile is open. */
  open(file: Uri): Promise<boolean>;
  /** Returns the figures of a line, counted from 0; null if it opens no range, or no profile is open. */
  figuresOfLine(file: Uri, line: number): Promise<LineFigures | null>;
  /** Shows the first range of a line in the timeline. Returns whether the line opens one that ran in the profile. */
  reveal(file: Uri, line: number): Promise<boolean>;
}
