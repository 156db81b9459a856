import {parsePrecisionRows, type PrecisionRow} from './precision-map.js';
import {parsePointResult} from './parse-result.js';
import type {PointResult} from './point-result.js';
import {isFields, textOrNull, type JsonFields} from '../base/read-json.js';

/** The version of the lines that this program writes and reads. */
const sweepVersion = 1;

/**
 * A line of a sweep's file.
 *
 *     {"v":1,"kind":"sweep","id":"5f…","name":"small","startedAt":"2026-…","points":12,"config":{…}}
 *     {"v":1,"kind":"result","index":0,"result":{…}}
 *     {"v":1,"kind":"profile","index":0,"path":"profiles/0.pt.trace.json.gz"}
 *     {"v":1,"kind":"precision","index":0,"rows":[…]}
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
  /** The data types of one step of a point. */
  | {readonly kind: 'precision'; readonly index: number; readonly rows: readonly PrecisionRow[]}
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
  readonly precision: ReadonlyMap<number, readonly PrecisionRow[]>;
  /** Whether every point has been gone through. */
  readonly isEnded: boolean;
  /** Lines that could not be read: cut off, or of another version. */
  readonly badLines: number;
}

/** Whether a point needs no more measuring. One that could not be started is tried again. */
export function isMeasured({results}: SweepRecord, index: number): boolean {
  const result = results.get(index);
  return result !== undefined && result.error !== 'not-started';
}

/** How many points need no more measuring. */
export function measuredCount(record: SweepRecord): number {
  return Array.from(record.results.keys()).filter(index => isMeasured(record, index)).length;
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
    case 'profile':
      return parseProfile(fields);
    case 'precision': {
      const {index, rows} = fields;
      return isIndex(index) ? {kind: 'precision', index, rows: parsePrecisionRows(rows)} : null;
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

function parseProfile({index, path}: JsonFields): SweepLine | null {
  return isIndex(index) && typeof path === 'string' && isBelow(path) ? {kind: 'profile', index, path} : null;
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
  const {id, name, startedAt, points, config} = head;
  const empty = {results: new Map(), profiles: new Map(), precision: new Map(), isEnded: false, badLines: 0};
  const record: Draft = {id, name, startedAt, pointCount: points, config, ...empty};
  for (const other of others) add(record, parseSweepLine(other));
  return record;
}

interface Draft extends SweepRecord {
  readonly results: Map<number, PointResult>;
  readonly profiles: Map<number, string>;
  readonly precision: Map<number, readonly PrecisionRow[]>;
  isEnded: boolean;
  badLines: number;
}

/** A line that is none, or of a point that there is not, is counted. */
function add(record: Draft, line: SweepLine | null): void {
  if (line?.kind === 'end') record.isEnded = true;
  else if (!line || line.kind === 'sweep' || line.index >= record.pointCount) record.badLines++;
  else if (line.kind === 'result') record.results.set(line.index, line.result);
  else if (line.kind === 'profile') record.profiles.set(line.index, line.path);
  else record.precision.set(line.index, line.rows);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Whether a path from a folder stays in it: the file may come from anybody, and its paths are opened. */
function isBelow(path: string): boolean {
  return !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes('..');
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
