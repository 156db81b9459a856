import type {LineTiming} from './line-timings.js';
import type {LineStalls, Stalls} from './stalls.js';
import type {Stall} from '../attribution/waiting-calls.js';
import {heatOfLine} from './line-heat.js';
import type {SourceTag} from '../source/source-tag.js';
import type {Suspect} from '../source/suspect.js';
import {tagAround} from '../source/tag-around.js';

/** A line that opens ranges, as hints need it. */
export interface HintedLine {
  readonly tag: SourceTag;
  readonly timing: LineTiming;
  /** Whether the block was edited after the run: its figures say nothing about the current text. */
  readonly isStale: boolean;
  readonly stalls: LineStalls;
}

/** The measured cost of a suspect, which a hint shows. */
type Measured =
  /** The CPU waited: in a tag's ranges, or in the function if `name` is null. */
  | {readonly what: 'wait'; readonly name: string | null; readonly stall: Stall}
  /** The GPU was still working for a range when the clock was read. */
  | {readonly what: 'tail'; readonly name: string; readonly tailNs: number}
  /** The first profiled instance took longer than those after it. */
  | {readonly what: 'first'; readonly name: string; readonly firstNs: number; readonly laterNs: number}
  | {readonly what: 'checks'; readonly stall: Stall};

export interface Hint {
  readonly suspect: Suspect;
  readonly measured: Measured;
}

/** Nobody reads more in one file. */
const mostSuspects = 1000;
/** Stalls below this fraction of the wall time are not worth fixing. */
const leastFraction = 0.01;
/** A warm-up is needed only if the first instance takes at least this many times the usual one. */
const leastSlowdown = 1.5;

/**
 * Returns the suspects of a file for which the profile measured a cost.
 *
 * @param tags all tags of the file in order, whether or not their names are known: a suspect belongs to the innermost
 *   around it
 * @param file the path that frames of the profile have for the file; null if none has it
 * @see docs/metrics.md#hints
 */
export function hintsOf(
  suspects: readonly Suspect[],
  tags: readonly SourceTag[],
  lines: readonly HintedLine[],
  stalls: Omit<Stalls, 'lines'>,
  file: string | null,
): Hint[] {
  const lineOf = new Map(lines.map(line => [line.tag.offset, line]));
  return suspects.slice(0, mostSuspects).flatMap(suspect => {
    const measured = measuredOf(suspect);
    return measured ? [{suspect, measured}] : [];
  });

  function measuredOf(suspect: Suspect): Measured | null {
    switch (suspect.kind) {
      case 'anomaly':
        return stalls.anomaly.calls > 0 ? {what: 'checks', stall: stalls.anomaly} : null;
      case 'timer':
        return tailIn(fresh(outermost(suspect)), stalls);
      case 'no-warm-up':
        return slowFirst(fresh(outermost(suspect)));
      default:
        return waitOf(suspect);
    }
  }

  function waitOf(suspect: Suspect): Measured | null {
    const own = frameStall(suspect, stalls, file);
    if (own) return isMuch(own, stalls) ? {what: 'wait', name: null, stall: own} : null;
    const tag = tagAround(tags, suspect.line);
    const line = tag && lineOf.get(tag.offset);
    if (!line || line.isStale) return null;
    const stall = stallFor(suspect, line.stalls, stalls.hasOperators);
    const isHot = heatOfLine(line.timing) > 0 && stall.blockedNs > 0;
    return isHot || isMuch(stall, stalls) ? {what: 'wait', name: rangeNames(line), stall} : null;
  }

  /** Returns the tags in the lines of a suspect, without tags nested in one of them. */
  function outermost({firstLine, endLine}: Suspect): SourceTag[] {
    let covered = 0;
    return tags.filter(({line, endLine: last}) => {
      if (line < firstLine || last > endLine || line <= covered) return false;
      covered = last;
      return true;
    });
  }

  function fresh(inside: readonly SourceTag[]): HintedLine[] {
    return inside.flatMap(({offset}) => {
      const line = lineOf.get(offset);
      return line && !line.isStale ? [line] : [];
    });
  }
}

function frameStall(
  {functionName, called, kind}: Suspect,
  {frames}: Pick<Stalls, 'frames'>,
  file: string | null,
): Stall | null {
  if (file === null) return null;
  // Printing an f-string reads its values before the call.
  const isCalled = (name: string) => name === called || (kind === 'print' && /^__(?:format|repr|str)__$/.test(name));
  const own = frames.filter(
    frame => frame.file === file && frame.functionName === functionName && isCalled(frame.called),
  );
  return own.length === 0 ? null : sumOf(own);
}

function stallFor({kind}: Suspect, {waits}: LineStalls, hasOperators: boolean): Stall {
  if (kind === 'print') return sumOf([waits.item, waits.copy]);
  return kind === 'item' && hasOperators ? waits.item : waits.copy;
}

function sumOf(stalls: readonly Stall[]): Stall {
  return {
    calls: stalls.reduce((sum, {calls}) => sum + calls, 0),
    blockedNs: stalls.reduce((sum, {blockedNs}) => sum + blockedNs, 0),
  };
}

function isMuch({blockedNs}: Stall, {wallNs}: Pick<Stalls, 'wallNs'>): boolean {
  return blockedNs > 0 && blockedNs >= leastFraction * wallNs;
}

function rangeNames({timing: {names, nameCount}}: HintedLine): string {
  return nameCount === 1 ? names[0].name : `${names[0].name}, …`;
}

/** Returns the range after whose end the GPU worked the longest. */
function tailIn(lines: readonly HintedLine[], {wallNs}: Pick<Stalls, 'wallNs'>): Measured | null {
  const line = lines.reduce<HintedLine | null>(
    (most, one) => (one.stalls.tailNs > (most?.stalls.tailNs ?? 0) ? one : most),
    null,
  );
  if (!line || line.stalls.tailNs < leastFraction * wallNs) return null;
  return {what: 'tail', name: rangeNames(line), tailNs: line.stalls.tailNs};
}

/** Returns the range whose first instance lost the most time. */
function slowFirst(lines: readonly HintedLine[]): Measured | null {
  const lostNs = ({stalls: {firstWallNs, laterWallNs}}: HintedLine) => firstWallNs - laterWallNs;
  const slow = lines.filter(({stalls}) => stalls.firstWallNs >= leastSlowdown * stalls.laterWallNs);
  const [line] = slow.sort((a, b) => lostNs(b) - lostNs(a));
  if (slow.length === 0) return null;
  const {firstWallNs, laterWallNs} = line.stalls;
  return {what: 'first', name: rangeNames(line), firstNs: firstWallNs, laterNs: laterWallNs};
}
