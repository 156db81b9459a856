import {parsePointResult} from './parse-result.js';
import type {PointResult} from './point-result.js';
import {isFields, textOrNull, type JsonFields} from './read-json.js';

/** The version of the lines that this program writes and reads. */
export const sweepVersion = 1;

/**
 * A line of a sweep's file.
 *
 *     {"v":1,"kind":"sweep","id":"5f…","name":"small","startedAt":"2026-…","points":12,"config":{…}}
 *     {"v":1,"kind":"result","index":0,"result":{…}}
 *     {"v":1,"kind":"profile","index":0,"path":"profiles/0.pt.trace.json.gz"}
 *     {"v":1,"kind":"end","at":"2026-…"}
 */
export type SweepLine =
  | {
      readonly kind: 'sweep';
      /** Tells sweeps apart by what they measure. */
      readonly id: string;
      readonly name: string;
      readonly startedAt: string;
      readonly points: number;
      /** The config as it was given, for people and for running it again. */
      readonly config: unknown;
    }
  | {readonly kind: 'result'; readonly index: number; readonly result: PointResult}
  /** A profile that was taken of a point; the path is from the sweep's folder. */
  | {readonly kind: 'profile'; readonly index: number; readonly path: string}
  | {readonly kind: 'end'; readonly at: string};

/** What a sweep's file holds. */
export interface SweepRecord {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly pointCount: number;
  readonly config: unknown;
  /** By index of the point; of two results of one point the later. */
  readonly results: ReadonlyMap<number, PointResult>;
  readonly profiles: ReadonlyMap<number, string>;
  /** Whether every point has been gone through. */
  readonly isEnded: boolean;
  /** Lines that could not be read: cut off, or of another version. */
  readonly badLines: number;
}

/** The line in a text; null where it is none of ours. */
export function parseSweepLine(text: string): SweepLine | null {
  const fields = asJson(text);
  if (!isFields(fields) || fields['v'] !== sweepVersion) return null;
  switch (fields['kind']) {
    case 'sweep':
      return parseHead(fields);
    case 'result':
      return parseResult(fields);
    case 'profile': {
      const {index, path} = fields;
      return isIndex(index) && typeof path === 'string' ? {kind: 'profile', index, path} : null;
    }
    case 'end':
      return {kind: 'end', at: textOrNull(fields['at']) ?? ''};
    default:
      return null;
  }
}

function parseHead({id, name, startedAt, points, config}: JsonFields): SweepLine | null {
  if (typeof id !== 'string' || typeof name !== 'string' || typeof startedAt !== 'string') return null;
  return isIndex(points) ? {kind: 'sweep', id, name, startedAt, points, config} : null;
}

function parseResult({index, result: value}: JsonFields): SweepLine | null {
  const result = parsePointResult(value);
  return result && isIndex(index) ? {kind: 'result', index, result} : null;
}

/** The text of a line, with its line feed. */
export function sweepLineText(line: SweepLine): string {
  return `${JSON.stringify({v: sweepVersion, ...line})}\n`;
}

/** What the text of a sweep's file says; null where it does not begin as one. */
export function readSweepRecord(text: string): SweepRecord | null {
  const [first = '', ...others] = text.split('\n').filter(line => line.trim() !== '');
  const head = parseSweepLine(first);
  if (head?.kind !== 'sweep') return null;
  const results = new Map<number, PointResult>();
  const profiles = new Map<number, string>();
  let isEnded = false;
  let badLines = 0;
  for (const other of others) {
    const line = parseSweepLine(other);
    if (line?.kind === 'result' && line.index < head.points) results.set(line.index, line.result);
    else if (line?.kind === 'profile') profiles.set(line.index, line.path);
    else if (line?.kind === 'end') isEnded = true;
    else badLines++;
  }
  const {id, name, startedAt, points, config} = head;
  return {id, name, startedAt, pointCount: points, config, results, profiles, isEnded, badLines};
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
