import {parsePrecisionRows, type PrecisionRow} from './precision-map.js';
import {parsePointResult} from './parse-result.js';
import type {PointResult} from './point-result.js';
import {isFields, textOrNull, type JsonFields} from '../base/read-json.js';

/** The version of the lines that this program reads and writes. */
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
      /** Identifies sweeps that measure the same. */
      readonly id: string;
      readonly name: string;
      readonly startedAt: string;
      readonly points: number;
      /** The config as it was given, for display and for running it again. */
      readonly config: unknown;
    }
  | {readonly kind: 'result'; readonly index: number; readonly result: PointResult}
  /** A profile recorded of a point; the path is relative to the sweep's folder. */
  | {readonly kind: 'profile'; readonly index: number; readonly path: string}
  /** The data types of one step of a point. */
  | {readonly kind: 'precision'; readonly index: number; readonly rows: readonly PrecisionRow[]}
  | {readonly kind: 'end'; readonly at: string};

/** The contents of a sweep's file. */
export interface SweepRecord {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  readonly pointCount: number;
  readonly config: unknown;
  /** By the point's index; if a point has two results, the later one. */
  readonly results: ReadonlyMap<number, PointResult>;
  readonly profiles: ReadonlyMap<number, string>;
  readonly precision: ReadonlyMap<number, readonly PrecisionRow[]>;
  /** Whether every point was processed. */
  readonly isEnded: boolean;
  /** Number of lines that could not be read: cut off, or of another version. */
  readonly badLines: number;
}

/** Returns whether a point needs no more measuring. A point that could not be started is tried again. */
export function isMeasured({results}: SweepRecord, index: number): boolean {
  const result = results.get(index);
  return result !== undefined && result.error !== 'not-started';
}

/** Returns how many points need no more measuring. */
export function measuredCount(record: SweepRecord): number {
  return Array.from(record.results.keys()).filter(index => isMeasured(record, index)).length;
}

/** Parses a line; null if it is not a sweep's. */
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

/** Returns the text of a line, with its line feed. */
export function sweepLineText(line: SweepLine): string {
  return `${JSON.stringify({v: sweepVersion, ...line})}\n`;
}

/** Parses a sweep's file; null if its beginning is not a sweep's. */
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

/** Adds a line. An invalid line, or one for a point that does not exist, is counted. */
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

/** Returns whether a relative path stays in its folder: the file is untrusted, and its paths are opened. */
function isBelow(path: string): boolean {
  return !/^[/\\]|^[A-Za-z]:/.test(path) && !path.split(/[/\\]/).includes('..');
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
