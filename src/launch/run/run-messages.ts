import {appendFileSync, mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {parseOptionSteps} from '../../core/benchmark/option-costs.js';
import {isCount, isFields, parseJsonLine, type JsonFields} from '../../core/base/read-json.js';
import type {ProfileResult, RecordedProfile, RecordedSnapshot} from './profile-result.js';

/** The protocol version; lines of another version are skipped. */
const protocolVersion = 1;

/** A message from a `gpu-lens profile` process to the editor that started it: JSON lines in a file. */
export type RunMessage =
  | {readonly message: 'began'; readonly name: string; readonly folder: string}
  | {readonly message: 'progress'; readonly text: string}
  /** No step was found for this long; a window of time can be requested in the run's folder. */
  | {readonly message: 'no-step'; readonly folder: string; readonly seconds: number}
  | {readonly message: 'ended'; readonly result: ProfileResult};

/** How the names of message files end. */
export const messagesEnd = '.jsonl';

/** Returns the name of a process's message file in the editor's folder. */
export function messagesFileName(pid: number): string {
  return `${String(pid)}${messagesEnd}`;
}

/**
 * Appends a message and makes its folder if needed. If the editor is gone, the run must continue, so a failed write is
 * not an error.
 */
export function writeRunMessage(file: string, message: RunMessage): void {
  try {
    mkdirSync(dirname(file), {recursive: true});
    appendFileSync(file, `${JSON.stringify({v: protocolVersion, ...message})}\n`);
  } catch {
    // Nobody is listening any more.
  }
}

/** Returns the message in one line; null for a line of another version or form. */
export function parseRunMessage(line: string): RunMessage | null {
  const fields = parseJsonLine(line);
  if (fields?.['v'] !== protocolVersion) return null;
  const {message} = fields;
  const read = typeof message === 'string' && Object.hasOwn(readers, message) ? readers[message] : undefined;
  return read?.(fields) ?? null;
}

const readers: Readonly<Record<string, (fields: JsonFields) => RunMessage | null>> = {
  began: ({name, folder}) => (isText(name) && isText(folder) ? {message: 'began', name, folder} : null),
  progress: ({text}) => (isText(text) ? {message: 'progress', text} : null),
  'no-step': ({folder, seconds}) =>
    isText(folder) && typeof seconds === 'number' ? {message: 'no-step', folder, seconds} : null,
  ended: ({result}) => {
    const ended = parseResult(result);
    return ended && {message: 'ended', result: ended};
  },
};

function parseResult(value: unknown): ProfileResult | null {
  if (!isFields(value)) return null;
  const {profiles, snapshots, status, isCancelled, sentences, notes, tail, report, optionSteps} = value;
  const costs = isFields(optionSteps) ? parseOptionSteps(optionSteps) : null;
  if (!Array.isArray(profiles) || typeof isCancelled !== 'boolean') return null;
  return {
    profiles: profiles.map(parseProfile).filter(profile => profile !== null),
    status: isCount(status) ? status : null,
    isCancelled,
    sentences: texts(sentences),
    notes: texts(notes),
    tail: texts(tail),
    ...(Array.isArray(snapshots) && {snapshots: snapshots.map(parseSnapshot).filter(one => one !== null)}),
    ...(costs && {optionSteps: costs}),
    ...(isText(report) && {report}),
  };
}

function parseProfile(value: unknown): RecordedProfile | null {
  if (!isFields(value)) return null;
  const {path, kind, steps, rank} = value;
  if (!isText(path) || !isText(kind) || !isCount(steps)) return null;
  return {path, kind, steps, rank: isCount(rank) ? rank : null};
}

function parseSnapshot(value: unknown): RecordedSnapshot | null {
  if (!isFields(value) || !isText(value['path'])) return null;
  const {path, rank, isOutOfMemory} = value;
  return {path, rank: isCount(rank) ? rank : null, isOutOfMemory: isOutOfMemory === true};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}
