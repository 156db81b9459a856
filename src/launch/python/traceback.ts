import {isAbsolute, relative, resolve} from 'node:path';

/** Where and how a program failed: one entry in the Problems view. */
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

/** A job of many ranks fails in many places at once; the first are enough. */
const mostPlaces = 10;

/**
 * Returns the places named by Python's tracebacks in a program's output: for each traceback, its innermost line in the
 * workspace. If none has one, returns the innermost line of the last.
 *
 * @param cwd the folder in which the program ran; relative paths start there
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
 * Returns the last line of the traceback with which a program failed: the last traceback, or the one before it if a
 * launcher only reports that its workers failed. Null if no traceback was written.
 */
export function raisedMessage(output: readonly string[]): string | null {
  const messages = tracebacksIn(output).map(({message}) => message);
  return messages.findLast(message => !launchersErrors.test(message)) ?? messages.at(-1) ?? null;
}

const launchersErrors = /^([\w.]*\.)?(ChildFailedError|CalledProcessError|ProcessRaisedException)\b/;

/** Returns the tracebacks in order. Those of several ranks may be interleaved; each line then begins with its rank. */
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
      // Every line of a traceback is indented, except the first and the exception's.
      found.push({frames, message: text.replace(/^ *\| /, '').trim()});
      open.delete(rank);
    }
  }
  return found;
}

/** Returns whether a file is edited here, and not part of an installed package. */
function isOwn(file: string, root: string): boolean {
  const inside = relative(root, file);
  return !inside.startsWith('..') && !isAbsolute(inside) && !/(^|[\\/])(site|dist)-packages[\\/]/.test(inside);
}
