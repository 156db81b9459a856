import {isPyTorchRange} from '../source/pytorch-ranges.js';
import type {KnownLine} from '../source/known-lines.js';
import {parsePythonFrame, type PythonFrame} from '../source/python-frame.js';
import {kindMask, taggedRangeKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {MemoryFrames, MemoryStacks} from './memory-snapshot.js';

/** The kinds of slices in the stack of an allocation in a profile. Start/end ranges extend across stacks. */
export const frameKinds: ReadonlySet<SliceKind> = new Set<SliceKind>([
  ...taggedRangeKinds,
  ...(['module', 'cpu_op', 'python_function'] as const),
]);
const isTagged = kindMask(taggedRangeKinds);

/** The ranges around allocations as stacks of frames: each range is a frame, with its line if one is known. */
export class ProfileStacks {
  readonly #frameOfName = new Map<number, number>();
  readonly #files: string[] = [];
  readonly #names: string[] = [];
  readonly #lines: number[] = [];
  readonly #isNamed: number[] = [];
  readonly #parents: number[] = [];
  readonly #frames: number[] = [];
  readonly #rows = new Map<string, number>();
  readonly #stackOfRange: Int32Array;
  readonly #placeOfName: ReadonlyMap<string, KnownLine>;

  /**
   * @param rows the ranges, as rows of `slices`
   * @param parents range → the one around it, or -1
   * @param lines lines recorded with the profile
   */
  constructor(
    private readonly trace: Trace,
    private readonly rows: Int32Array,
    private readonly parents: Int32Array,
    lines: readonly KnownLine[],
  ) {
    this.#stackOfRange = new Int32Array(rows.length).fill(-1);
    this.#placeOfName = new Map(lines.map(line => [line.name, line]));
  }

  /** Returns the stack of an event whose innermost range is `range`; -1 for none. */
  stackOf(range: number): number {
    if (range < 0) return -1;
    const known = this.#stackOfRange[range];
    if (known >= 0) return known;
    let stack = -1;
    // Stacks are stored from the inside outwards, so the stacks of a range and of its parent share no rows.
    for (let at = range; at >= 0; at = this.parents[at]) stack = this.#add(stack, this.#frameOf(this.rows[at]));
    this.#stackOfRange[range] = stack;
    return stack;
  }

  finish(): {frames: MemoryFrames; stacks: MemoryStacks} {
    const frames = {
      length: this.#names.length,
      names: this.#names,
      files: this.#files,
      lines: this.#lines,
      isNamed: Uint8Array.from(this.#isNamed),
    };
    const stacks = {
      length: this.#frames.length,
      parent: Int32Array.from(this.#parents),
      frame: Int32Array.from(this.#frames),
    };
    return {frames, stacks};
  }

  #add(parent: number, frame: number): number {
    const key = `${String(parent)} ${String(frame)}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      this.#parents.push(parent);
      row = this.#frames.push(frame) - 1;
      this.#rows.set(key, row);
    }
    return row;
  }

  #frameOf(slice: number): number {
    const {slices, strings} = this.trace;
    const name = slices.name[slice];
    const tagged = isTagged[slices.kind[slice]];
    // A range and an operator may have the same name.
    const key = 2 * name + tagged;
    let frame = this.#frameOfName.get(key);
    if (frame === undefined) {
      frame = this.#newFrame(strings.get(name), tagged === 1);
      this.#frameOfName.set(key, frame);
    }
    return frame;
  }

  #newFrame(text: string, tagged: boolean): number {
    const {path, line, name} = parsePythonFrame(text) ?? notedPlace(text, this.#placeOfName.get(text));
    this.#files.push(path);
    this.#lines.push(line);
    this.#isNamed.push(tagged && !isPyTorchRange(text) ? 1 : 0);
    return this.#names.push(name) - 1;
  }
}

/** Returns the recorded place of a range; an empty one if there is none. */
function notedPlace(name: string, noted: KnownLine | undefined): PythonFrame {
  return {path: noted?.file ?? '', line: noted?.line ?? 0, name};
}

/** Range → the innermost one around it on its track, or -1. Ranges are rows of `slices`, ascending. */
export function enclosingRanges({slices}: Trace, rows: Int32Array): Int32Array {
  const parents = new Int32Array(rows.length).fill(-1);
  const open: number[] = [];
  const endOf = (range: number) => slices.startNs[rows[range]] + slices.durationNs[rows[range]];
  rows.forEach((row, range) => {
    for (;;) {
      const top = open.at(-1);
      if (top === undefined) break;
      const isOver = endOf(top) <= slices.startNs[row] && endOf(top) < endOf(range);
      if (slices.track[rows[top]] === slices.track[row] && !isOver) break;
      open.pop();
    }
    // A range that overlaps without enclosing is not a parent.
    for (let i = open.length - 1; i >= 0; i--) {
      if (endOf(open[i]) < endOf(range)) continue;
      parents[range] = open[i];
      break;
    }
    open.push(range);
  });
  return parents;
}
