import {blockStates, traceActions} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import {tag} from './pickle-value.js';
import type {TextIds} from './text-ids.js';

/** Turns a value into the number that a column holds; NaN where it is of no use. */
type Convert = (valueTag: number, value: number) => number;

interface Field {
  readonly column: GrowingColumn<Float64Array>;
  readonly convert: Convert;
}

/** A sort of dictionary that becomes a row as soon as it is read, told by a key that no other sort has. */
export class RowKind {
  readonly #names: readonly string[];
  readonly #fields: readonly Field[];
  /** By the number of a text the field that it names, or -1. */
  readonly #fieldOfText: number[] = [];

  constructor(
    readonly mark: string,
    fields: Readonly<Record<string, Field>>,
    private readonly texts: TextIds,
  ) {
    this.#names = Object.keys(fields);
    this.#fields = Object.values(fields);
  }

  /** Adds a row with nothing in it. */
  addRow(): number {
    let row = -1;
    for (const {column} of this.#fields) row = column.push(Number.NaN);
    return row;
  }

  /** Sets what a key of the row's dictionary says; keys without a column are passed over. */
  set(row: number, key: number, valueTag: number, value: number): void {
    const index = this.#fieldIndex(key);
    if (index < 0) return;
    const {column, convert} = this.#fields[index];
    column.values[row] = convert(valueTag, value);
  }

  #fieldIndex(key: number): number {
    for (let text = this.#fieldOfText.length; text <= key; text++) {
      this.#fieldOfText.push(this.#names.indexOf(this.texts.texts[text]));
    }
    return this.#fieldOfText[key];
  }
}

const numberOf: Convert = (valueTag, value) => (valueTag === tag.number ? value : Number.NaN);
const textOf: Convert = (valueTag, value) => (valueTag === tag.text ? value : Number.NaN);
const listOf: Convert = (valueTag, value) => (valueTag === tag.list ? value : Number.NaN);

/** The rows that a snapshot's dictionaries become: events, blocks, segments and frames. */
export class SnapshotRows {
  readonly action;
  readonly eventAddress;
  readonly eventBytes;
  readonly eventStack;
  readonly state;
  readonly blockAddress;
  readonly blockBytes;
  readonly requestedBytes;
  readonly blockStack;
  readonly segmentBytes;
  readonly segmentBlocks;
  readonly segmentAddress;
  readonly segmentDevice;
  readonly segmentStack;
  readonly file;
  readonly name;
  readonly line;
  readonly kinds: readonly RowKind[];

  /** `stackOf` gives the stack that a list of frames is. */
  constructor(
    held: HeldMemory,
    private readonly texts: TextIds,
    stackOf: Convert,
  ) {
    const field = (convert: Convert): Field => ({column: new GrowingColumn(new Float64Array(256), held), convert});
    const columnOf = ({column}: Field) => column;
    const events = {
      action: field(this.#wordOf(traceActions)),
      addr: field(numberOf),
      size: field(numberOf),
      frames: field(stackOf),
    };
    const blocks = {
      state: field(this.#wordOf(blockStates)),
      address: field(numberOf),
      size: field(numberOf),
      requested_size: field(numberOf),
      frames: field(stackOf),
    };
    const segments = {
      total_size: field(numberOf),
      blocks: field(listOf),
      address: field(numberOf),
      device: field(numberOf),
      frames: field(stackOf),
    };
    const frames = {filename: field(textOf), name: field(textOf), line: field(numberOf)};
    this.action = columnOf(events.action);
    this.eventAddress = columnOf(events.addr);
    this.eventBytes = columnOf(events.size);
    this.eventStack = columnOf(events.frames);
    this.state = columnOf(blocks.state);
    this.blockAddress = columnOf(blocks.address);
    this.blockBytes = columnOf(blocks.size);
    this.requestedBytes = columnOf(blocks.requested_size);
    this.blockStack = columnOf(blocks.frames);
    this.segmentBytes = columnOf(segments.total_size);
    this.segmentBlocks = columnOf(segments.blocks);
    this.segmentAddress = columnOf(segments.address);
    this.segmentDevice = columnOf(segments.device);
    this.segmentStack = columnOf(segments.frames);
    this.file = columnOf(frames.filename);
    this.name = columnOf(frames.name);
    this.line = columnOf(frames.line);
    this.kinds = [
      new RowKind('action', events, texts),
      new RowKind('state', blocks, texts),
      new RowKind('total_size', segments, texts),
      new RowKind('filename', frames, texts),
    ];
  }

  /** The index of a text among some words; 0 for every other value. */
  #wordOf(words: readonly string[]): Convert {
    const known = new Map<number, number>();
    return (valueTag, value) => {
      if (valueTag !== tag.text) return 0;
      const code = known.get(value) ?? Math.max(0, words.indexOf(this.texts.texts[value]));
      known.set(value, code);
      return code;
    };
  }
}

/** Indices into `SnapshotRows.kinds`. */
export const rowKinds = {event: 0, block: 1, segment: 2, frame: 3} as const;
