import {streamBytes} from '../reading/byte-stream.js';
import type {FileHead, ImportOptions} from '../reading/importer.js';
import {endOfValue, needMore} from '../reading/json-bytes.js';
import {parseEvent} from '../reading/parse-event.js';

/** A longer event is skipped, as if it had no arguments. */
const longestEventBytes = 1 << 20;

export type Arguments = Readonly<Record<string, unknown>>;

/** Rows of a table whose events are read again, and the receiver of their arguments. */
export interface WantedArguments {
  readonly rows: Int32Array;
  /** Offset of a row's event in the file. */
  readonly sourceOf: (row: number) => number;
  readonly take: (row: number, args: Arguments) => void;
}

/** Reads the arguments of the events of some rows again: the file is streamed once. */
export async function readArguments(
  file: FileHead,
  wanted: readonly WantedArguments[],
  options: ImportOptions,
): Promise<void> {
  const events = wanted
    .flatMap(({rows, sourceOf, take}) => Array.from(rows, row => ({row, offset: sourceOf(row), take})))
    .sort((a, b) => a.offset - b.offset);
  if (events.length === 0) return;
  await readEventsAt(
    file,
    Float64Array.from(events, ({offset}) => offset),
    options,
    (event, text) => {
      const {row, take} = events[event];
      take(row, argumentsOf(text));
    },
  );
}

/**
 * Passes on the text of the event at each offset; `offsets` ascend. An event that is truncated or too long is skipped.
 */
export async function readEventsAt(
  file: FileHead,
  offsets: Float64Array,
  options: ImportOptions,
  take: (event: number, text: string) => void,
): Promise<void> {
  let event = 0;
  let position = 0;
  let pending: Uint8Array = new Uint8Array(0);
  await streamBytes(
    file,
    chunk => {
      const window = new Uint8Array(pending.length + chunk.length + 2);
      window.set(pending);
      window.set(chunk, pending.length);
      const begin = position - pending.length;
      const length = pending.length + chunk.length;
      position += chunk.length;
      for (; event < offsets.length && (offsets[event] ?? 0) < position; event++) {
        const from = (offsets[event] ?? 0) - begin;
        const end = from < 0 ? -2 : endOfValue(window, from, length);
        if (end === needMore && length - from < longestEventBytes) {
          pending = window.slice(from, length);
          return;
        }
        if (end > 0) take(event, Buffer.from(window.buffer, from, end - from).toString('utf8'));
      }
      pending = new Uint8Array(0);
    },
    {signal: options.signal, onRead: bytes => options.onProgress?.({bytes, totalBytes: file.bytes, events: event})},
  );
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  const args = parseEvent(text)?.['args'];
  return typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
}
