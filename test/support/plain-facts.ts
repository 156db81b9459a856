import type {TraceFacts} from '../../src/core/trace/trace-builder.js';

/** The builder's facts about a trace with nothing special. */
export const plainFacts: TraceFacts = {
  meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
  baseNs: 0n,
  counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
  notes: [],
};
