import {formatCount} from '../../core/format/count.js';
import {isCount, isFields, textOrNull} from '../../core/base/read-json.js';

/** Steps of one kind that the runner saw at one place of a script. */
export interface SeenLoop {
  /** `train`, `infer`, `forward` or `range`. */
  readonly what: string;
  /** The classes of the modules that a step calls; null if none was seen. */
  readonly of: string | null;
  readonly file: string | null;
  /** The line of the loop, or of the step if no loop surrounds it. */
  readonly line: number | null;
  /** The line that a step ends on. */
  readonly stepLine: number | null;
  /** Number of steps seen. */
  readonly count: number;
  /** Whether there may have been more steps, which were not counted. */
  readonly isMore: boolean;
  /** How often a step calls its model; null if it calls several models, or none. */
  readonly calls: number | null;
  /** The name of a step that contains several calls of a model: `request`, or the function that makes them; else null. */
  readonly unit: string | null;
}

/** Returns the loop that a message describes; null for anything else. */
export function parseSeenLoop(value: unknown): SeenLoop | null {
  if (!isFields(value)) return null;
  const {what, of, file, line, count, calls, unit} = value;
  if (typeof what !== 'string' || !isCount(count)) return null;
  const stepLine = value['step_line'];
  return {
    stepLine: isCount(stepLine) ? stepLine : null,
    ...{what, of: textOrNull(of), file: textOrNull(file), line: isCount(line) ? line : null, count},
    ...{isMore: value['is_more'] === true, calls: isCount(calls) ? calls : null, unit: textOrNull(unit)},
  };
}

const nouns: Readonly<Record<string, string>> = {
  train: 'training step',
  infer: 'evaluation',
  forward: 'forward call',
  range: 'step',
};

/** Returns the name of one step of a loop: `training step`, `call of generate`. */
export function kindOfSteps({what, unit}: SeenLoop): string {
  if (unit !== null) return unit === 'request' ? unit : `call of ${unit}`;
  return nouns[what] ?? 'step';
}

/** Returns the name of several steps of a loop: `3 training steps of GPT`. */
export function stepsText(loop: SeenLoop, count: number): string {
  const {what, of, calls, unit} = loop;
  const kind = kindOfSteps(loop);
  const many = kind.startsWith('call of ') ? kind.replace('call', 'calls') : `${kind}s`;
  const noun = count === 1 ? kind : many;
  const model = of === null ? '' : ` of ${of}`;
  const isLarger = what === 'train' || unit !== null;
  const micro = isLarger && calls !== null && calls > 1 ? ` (${formatCount(calls)} forward calls each)` : '';
  return `${formatCount(count)} ${noun}${model}${micro}`;
}

/** Returns the place of a loop as `--step` takes it; null if unknown. */
export function placeText({file, line}: SeenLoop): string | null {
  return file === null || line === null ? null : `${file}:${String(line)}`;
}

/** Returns the `--step` value that records only this loop: if several are on its line, the line of its step. */
export function choiceText(loop: SeenLoop, all: readonly SeenLoop[]): string | null {
  const isShared = all.some(
    other => other.file === loop.file && other.line === loop.line && other.stepLine !== loop.stepLine,
  );
  return placeText(isShared && loop.stepLine !== null ? {...loop, line: loop.stepLine} : loop);
}

/** Returns the loops of several processes as one list, in the order in which they were seen. */
export function mergedLoops(lists: Iterable<readonly SeenLoop[]>): readonly SeenLoop[] {
  const merged = new Map<string, SeenLoop>();
  for (const loop of [...lists].flat()) {
    const key = JSON.stringify([loop.what, loop.unit, loop.file, loop.line]);
    const known = merged.get(key);
    if (!known || known.count < loop.count) merged.set(key, loop);
  }
  return [...merged.values()];
}
