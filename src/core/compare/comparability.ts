import {say, template} from '../base/say.js';
import {counted, formatCount} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {stepsOf} from '../scope/steps.js';
import type {Sidecar} from '../source/sidecar.js';
import {greatest} from '../table/extremes.js';
import {namesThat} from '../trace/names-that.js';
import {lossCodes} from '../trace/loss-notes.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {WorkPart} from '../gpu-work/work-part.js';
import type {WorkEntry} from '../gpu-work/work-entry.js';
import {kernelPrecisions} from './kernel-precision.js';

/** A difference between two runs that the figures alone do not show. */
export interface ComparabilityReason {
  readonly code: string;
  readonly text: string;
  readonly base: string;
  readonly changed: string;
}

/** Whether two runs can be compared: "partly" if a difference may explain a part of the figures. */
export interface Comparability {
  readonly verdict: 'yes' | 'partly' | 'no';
  readonly reasons: readonly ComparabilityReason[];
}

/** The data of a run that comparability needs. */
export interface ComparedRun {
  readonly trace: Trace;
  /** What the runner saved next to the profile; null if there is none. */
  readonly sidecar: Pick<Sidecar, 'torch' | 'python' | 'script'> | null;
}

/** One property in which two runs may differ. If a side does not record it (null), it is unknown. */
interface Aspect {
  readonly code: string;
  /** What the sentence begins with: a template. */
  readonly text: string;
  /** Whether a difference makes every verdict meaningless. */
  readonly isDecisive: boolean;
  /** Whether unknown counts as different from a known value. */
  readonly isUnknownDifferent?: boolean;
  readonly of: (run: ComparedRun, part: WorkPart) => string | null;
}

const aspects: readonly Aspect[] = [
  {
    ...{code: 'gpu-model', text: template('The GPU models differ'), isDecisive: true, isUnknownDifferent: true},
    of: ({trace}) => gpuModels(trace),
  },
  {
    ...{code: 'gpu-count', text: template('The numbers of GPUs that worked differ'), isDecisive: true},
    of: ({trace}) => counted(workingDevices(trace).size, '{0} GPU', '{0} GPUs'),
  },
  {code: 'world-size', text: template('The jobs have different numbers of ranks'), isDecisive: true, of: worldSize},
  {
    code: 'rank',
    text: template('The profiles are of different ranks'),
    isDecisive: false,
    of: ({trace}) => known(trace.meta.rank),
  },
  {
    ...{code: 'profiler', text: template('The profilers differ: each adds costs of its own'), isDecisive: false},
    of: ({trace}) => trace.meta.profiler,
  },
  {
    ...{code: 'profiler-version', text: template('The versions of the profiler differ'), isDecisive: false},
    of: ({trace}) => trace.meta.version,
  },
  {
    code: 'driver',
    text: template('The GPU drivers differ'),
    isDecisive: false,
    of: ({trace}) => trace.meta.driver ?? null,
  },
  {
    code: 'torch',
    text: template('The versions of PyTorch differ'),
    isDecisive: false,
    of: ({sidecar}) => sidecar?.torch ?? null,
  },
  {
    code: 'python',
    text: template('The versions of Python differ'),
    isDecisive: false,
    of: ({sidecar}) => sidecar?.python ?? null,
  },
  {code: 'script', text: template('The scripts differ'), isDecisive: false, of: ({sidecar}) => sidecar?.script ?? null},
  {
    ...{code: 'precision', text: template('Matrix products run in different data types'), isDecisive: false},
    of: (_, part) => kernelPrecisions(part),
  },
  {
    ...{
      code: 'input-bytes',
      text: template('Steps copy different amounts of data to the GPU: batches or shapes may differ'),
    },
    ...{isDecisive: false, of: (_, part) => inputBytes(part)},
  },
  {
    ...{code: 'steps', text: template('Only one profile has steps, so figures cover all of both'), isDecisive: false},
    ...{isUnknownDifferent: true, of: (_, part) => stepsText(part)},
  },
  {
    ...{code: 'warm-up', text: template('Only one profile begins with the first step, which is slower than others')},
    ...{isDecisive: false, of: (_, part) => warmUp(part)},
  },
  {
    ...{code: 'left-out', text: template('Events were lost or left out'), isDecisive: false},
    of: ({trace}) => leftOut(trace),
  },
];

/**
 * Returns whether two runs are the same work on the same machine, with a reason for each difference.
 *
 * @param works the work of both runs by kernel class
 * @see docs/metrics.md#comparable
 */
export function comparability(
  base: ComparedRun,
  changed: ComparedRun,
  before: WorkPart,
  after: WorkPart,
  works: readonly [readonly WorkEntry[], readonly WorkEntry[]],
): Comparability {
  const [hasWork, stillHasWork] = [before, after].map(({trace}) => trace.gpuOperations.length > 0);
  const withoutWork = hasWork !== stillHasWork;
  const found = aspects.flatMap(aspect => {
    const [one, other] = [aspect.of(base, before), aspect.of(changed, after)];
    const isUnknown = one === null || other === null;
    if (one === other || (isUnknown && aspect.isUnknownDifferent !== true)) return [];
    const {code, text, isDecisive} = aspect;
    return [{isDecisive: isDecisive && !isUnknown, reason: reasonOf(code, text, one, other)}];
  });
  const reasons = found.map(({reason}) => reason);
  const different = differentWork(works, [before, after]);
  if (different) reasons.push(different);
  if (withoutWork) {
    const [one, other] = [before, after].map(({trace}) =>
      counted(trace.gpuOperations.length, '{0} GPU operation', '{0} GPU operations'),
    );
    reasons.unshift(reasonOf('no-gpu-work', template('Only one profile has GPU work'), one, other));
  }
  if (withoutWork || found.some(({isDecisive}) => isDecisive)) return {verdict: 'no', reasons};
  return {verdict: reasons.length > 0 ? 'partly' : 'yes', reasons};
}

function reasonOf(code: string, text: string, base: string | null, changed: string | null): ComparabilityReason {
  const [one, other] = [base ?? say('unknown'), changed ?? say('unknown')];
  return {
    code,
    text: say('{0}: {1} in the base, {2} in the changed run.', say(text), one, other),
    base: one,
    changed: other,
  };
}

/** A change seldom alters the work of kernel classes this much; a different program does. */
const leastOverlap = 0.25;

/** Returns a reason if the two runs share only a small part of the larger run's work by class; null otherwise. */
function differentWork(
  works: readonly [readonly WorkEntry[], readonly WorkEntry[]],
  parts: readonly [WorkPart, WorkPart],
): ComparabilityReason | null {
  const [base, changed] = works.map((entries, side) => {
    const by = Math.max(1, parts[side].steps);
    return new Map(entries.map(({path, gpuWorkNs}) => [path, gpuWorkNs / by]));
  });
  const [baseNs, changedNs] = [base, changed].map(side => [...side.values()].reduce((sum, ns) => sum + ns, 0));
  if (baseNs === 0 || changedNs === 0) return null;
  const sharedNs = [...base].reduce((sum, [path, ns]) => sum + Math.min(ns, changed.get(path) ?? 0), 0);
  if (sharedNs >= leastOverlap * Math.max(baseNs, changedNs)) return null;
  const text = template('The amounts of GPU work by kernel class differ so much that the programs may differ');
  return reasonOf('work', text, formatDuration(baseNs), formatDuration(changedNs));
}

function known(value: number | null): string | null {
  return value === null ? null : String(value);
}

function worldSize({trace: {meta}}: ComparedRun): string | null {
  return meta.worldSize === null ? null : counted(meta.worldSize, '{0} rank', '{0} ranks');
}

function workingDevices({gpuOperations: {device}}: Trace): Set<number> {
  const found = new Set<number>();
  // Operations in a row are of the same device.
  for (let i = 0; i < device.length; i++) if (i === 0 || device[i] !== device[i - 1]) found.add(device[i]);
  return found;
}

/** Returns the models of the GPUs that worked; null if the file names none of them. */
function gpuModels(trace: Trace): string | null {
  const working = workingDevices(trace);
  const names = trace.devices.flatMap(({id, name}) => (working.has(id) && name !== null ? [name] : []));
  return names.length === 0 ? null : [...new Set(names)].sort().join(', ');
}

function stepsText({trace}: WorkPart): string {
  return stepsOf(trace).length > 0 ? say('steps') : say('no steps');
}

function warmUp({trace}: WorkPart): string | null {
  const steps = stepsOf(trace);
  if (steps.length === 0) return null;
  return steps.some(({number}) => number === 0) ? say('from the first step') : say('from a later step');
}

/** Codes of notes that a profile contains less than was recorded. */
const partCodes = new Set([...lossCodes, 'run/partial']);

function leftOut({notes}: Trace): string {
  const losses = notes.flatMap(({code}) => (partCodes.has(code) ? [code] : []));
  return losses.length === 0 ? say('none') : [...new Set(losses)].sort().join(', ');
}

/** Returns the bytes copied from the CPU in the step that copies the most. They change with batch size and shapes. */
function inputBytes({trace, steps, stepOf}: WorkPart): string | null {
  if (steps === 0) return null;
  const {gpuOperations, slices} = trace;
  const isToDevice = namesThat(trace, name => /HtoD|Host-to-Device/i.test(name));
  const bytes = new Float64Array(steps);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const step = stepOf[operation];
    const slice = gpuOperations.slice[operation];
    if (step < 0 || slices.kind[slice] !== kindIndex.gpu_memcpy || gpuOperations.bytes[operation] < 0) continue;
    if (isToDevice(slice)) bytes[step] += gpuOperations.bytes[operation];
  }
  const most = greatest([...bytes]);
  return most > 0 ? say('{0} bytes', formatCount(most)) : null;
}
