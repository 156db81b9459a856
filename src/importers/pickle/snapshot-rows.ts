import {blockStates, traceActions} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn, type Numbers} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import {tag} from './pickle-value.js';
import type {TextIds} from './text-ids.js';

/** Turns a value into the number that a column holds; NaN where it is of no use. */
type Convert = (valueTag: number, value: number) => number;

interface Field<Values extends Numbers = Numbers> {
  readonly column: GrowingColumn<Values>;
  /** What the column has where a dictionary lacks the key. */
  readonly absent: number;
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
    for (const {column, absent} of this.#fields) row = column.push(absent);
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
/** A number of bytes or an address: what is none counts as 0. */
const amountOf: Convert = (valueTag, value) =>
  valueTag === tag.number && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
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
    const make = <Values extends Numbers>(values: Values, absent: number, convert: Convert): Field<Values> => ({
      column: new GrowingColumn(values, held),
      absent,
      convert,
    });
    const field = (convert: Convert) => make(new Float64Array(256), Number.NaN, convert);
    const amount = () => make(new Float64Array(256), 0, amountOf);
    const stack = () => make(new Int32Array(256), -1, stackOf);
    const word = (words: readonly string[]) => make(new Uint8Array(256), 0, this.#wordOf(words));
    const columnOf = <Values extends Numbers>({column}: Field<Values>) => column;
    const events = {
      action: word(traceActions),
      addr: amount(),
      size: amount(),
      frames: stack(),
    };
    const blocks = {
      state: word(blockStates),
      address: field(numberOf),
      size: amount(),
      requested_size: field(numberOf),
      frames: stack(),
    };
    const segments = {
      total_size: amount(),
      blocks: field(listOf),
      address: amount(),
      device: amount(),
      frames: stack(),
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
