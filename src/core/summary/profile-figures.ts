import {gpuSummary, type GpuSummary} from '../questions/info.js';
import {lossNotes} from '../trace/loss-notes.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {busiestDevice} from './device-busy.js';
import {stepLengths, summarySteps} from './summary-steps.js';

/** What tells one profile of a folder from another. @see docs/metrics.md#folder */
export interface ProfileFigures {
  readonly format: string;
  readonly profiler: string;
  /** The distinct names of the GPUs; GPUs without a name have none. */
  readonly gpuNames: readonly string[];
  readonly gpus: number;
  readonly rank: number | null;
  readonly spanNs: number;
  /** The number of steps of the summary; 0 without any. */
  readonly steps: number;
  /** Their median length; null without steps. */
  readonly stepNs: number | null;
  readonly gpu: GpuSummary;
  /** What was not read. */
  readonly losses: readonly TraceNote[];
}

/** Returns the figures of a whole profile. */
export function profileFigures(trace: Trace): ProfileFigures {
  const {meta, devices, spanNs, notes} = trace;
  const lengths = stepLengths(summarySteps(trace, busiestDevice(trace)?.process ?? -1));
  return {
    format: meta.format,
    profiler: meta.profiler,
    gpuNames: [...new Set(devices.flatMap(({name}) => (name === null || name === '' ? [] : [name])))],
    gpus: devices.length,
    rank: meta.rank,
    spanNs,
    steps: lengths?.count ?? 0,
    stepNs: lengths?.medianNs ?? null,
    gpu: gpuSummary(trace),
    losses: lossNotes(notes),
  };
}
