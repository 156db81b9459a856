import {isAbsolute, relative, resolve} from 'node:path';

/** Where a program failed, and with what: one entry of the Problems view. */
export interface FailurePlace {
  /** Absolute. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The last line of the traceback: `ValueError: the data has no end`. */
  readonly message: string;
}

interface Traceback {
  readonly frames: readonly {readonly file: string; readonly line: number}[];
  readonly message: string;
}

/** A job of many ranks fails in many places at once; the first ones tell it. */
const mostPlaces = 10;

/**
 * The places that Python's tracebacks in a program's output name: of each the innermost line of the workspace, where
 * any of them has one; else the innermost line of the last.
 *
 * @param cwd where the program ran, from which relative paths are
 */
export function failurePlaces(output: readonly string[], root: string, cwd: string): readonly FailurePlace[] {
  const tracebacks = tracebacksIn(output).map(({frames, message}) => ({
    frames: frames.map(({file, line}) => ({file: resolve(cwd, file), line})),
    message,
  }));
  const own = tracebacks.flatMap(({frames, message}) => {
    const frame = frames.findLast(({file}) => isOwn(file, root));
    return frame ? [{...frame, message}] : [];
  });
  const last = tracebacks.at(-1);
  const innermost = last?.frames.at(-1);
  const places = own.length > 0 || !last || !innermost ? own : [{...innermost, message: last.message}];
  const distinct = new Map(places.map(place => [JSON.stringify(place), place]));
  return [...distinct.values()].slice(0, mostPlaces);
}

/**
 * Returns the last line of the traceback that a program failed with: of the last one, but where a launcher only tells that
 * its workers failed, of the last before. Null where no traceback was written.
 */
export function raisedMessage(output: readonly string[]): string | null {
  const messages = tracebacksIn(output).map(({message}) => message);
  return messages.findLast(message => !launchersErrors.test(message)) ?? messages.at(-1) ?? null;
}

const launchersErrors = /^([\w.]*\.)?(ChildFailedError|CalledProcessError|ProcessRaisedException)\b/;

/** Tracebacks in their order; those of several ranks may be mixed, and then have their rank before each line. */
function tracebacksIn(output: readonly string[]): Traceback[] {
  const found: Traceback[] = [];
  const open = new Map<string, {file: string; line: number}[]>();
  for (const whole of output) {
    const [, rank = '', text = ''] = /^(\[rank\d+\]: ?)?(.*)$/.exec(whole) ?? [];
    const frame = /^[\s|]+File "([^"<>]+)", line (\d+)(?:, in .*)?$/.exec(text);
    const frames = open.get(rank);
    if (frame) {
      open.set(rank, [...(frames ?? []), {file: frame[1] ?? '', line: Number(frame[2])}]);
    } else if (frames && /^(?: *\| )?[^\s|+]/.test(text)) {
      // All lines of a traceback are indented but the first, and the one that says what was raised.
      found.push({frames, message: text.replace(/^ *\| /, '').trim()});
      open.delete(rank);
    }
  }
  return found;
}

/** Whether a file is one that people edit here, and of no package that is installed here. */
function isOwn(file: string, root: string): boolean {
  const inside = relative(root, file);
  return !inside.startsWith('..') && !isAbsolute(inside) && !/(^|[\\/])(site|dist)-packages[\\/]/.test(inside);
}
