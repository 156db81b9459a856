import {blockStates, traceActions} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn, type Numbers} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import {RareColumn} from './rare-column.js';
import {tag} from './pickle-value.js';
import type {TextIds} from './text-ids.js';

/** Turns a value into the number that a column holds; NaN where it is of no use. */
type Convert = (valueTag: number, value: number) => number;

interface Field {
  readonly column: GrowingColumn<Numbers> | RareColumn<Numbers>;
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
    column.set(row, convert(valueTag, value));
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

const labelOf =
  ({texts}: TextIds): Convert =>
  (valueTag, value) =>
    valueTag === tag.text && texts[value] !== '' ? value : -1;
const flagOf: Convert = (valueTag, value) => (valueTag === tag.boolean ? value : 0);

/** The rows that a snapshot's dictionaries become: events, blocks, segments and frames. */
export class SnapshotRows {
  readonly action;
  readonly eventAddress;
  readonly eventBytes;
  readonly eventStack;
  readonly eventTime;
  readonly eventStream;
  readonly category;
  readonly metadata;
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
  readonly segmentStream;
  readonly isExpandable;
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
    const floats = () => new GrowingColumn(new Float64Array(256), held);
    const ints = () => new GrowingColumn(new Int32Array(256), held);
    const codes = () => new GrowingColumn(new Uint8Array(256), held);
    const rareFloats = (absent: number) => new RareColumn(length => new Float64Array(length), absent, held);
    const rareInts = () => new RareColumn(length => new Int32Array(length), -1, held);
    const field = (column: Field['column'], absent: number, convert: Convert): Field => ({column, absent, convert});
    const amount = (column: Field['column']) => field(column, 0, amountOf);
    const number = (column: Field['column']) => field(column, Number.NaN, numberOf);
    const stack = (column: Field['column']) => field(column, -1, stackOf);
    const label = (column: Field['column']) => field(column, -1, labelOf(texts));

    this.action = codes();
    this.eventAddress = floats();
    this.eventBytes = floats();
    this.eventStack = ints();
    this.eventTime = rareFloats(Number.NaN);
    this.eventStream = rareFloats(0);
    this.category = rareInts();
    this.metadata = rareInts();
    this.state = codes();
    this.blockAddress = floats();
    this.blockBytes = floats();
    this.requestedBytes = floats();
    this.blockStack = ints();
    this.segmentBytes = floats();
    this.segmentBlocks = floats();
    this.segmentAddress = floats();
    this.segmentDevice = floats();
    this.segmentStack = ints();
    this.segmentStream = floats();
    this.isExpandable = codes();
    this.file = floats();
    this.name = floats();
    this.line = floats();
    this.kinds = [
      new RowKind(
        'action',
        {
          action: field(this.action, 0, this.#wordOf(traceActions.map((word, code) => [word, code]))),
          addr: amount(this.eventAddress),
          size: amount(this.eventBytes),
          frames: stack(this.eventStack),
          time_us: number(this.eventTime),
          stream: amount(this.eventStream),
          category: label(this.category),
          user_metadata: label(this.metadata),
        },
        texts,
      ),
      new RowKind(
        'state',
        {
          state: field(this.state, 0, this.#wordOf(blockStateWords)),
          address: number(this.blockAddress),
          size: amount(this.blockBytes),
          requested_size: number(this.requestedBytes),
          frames: stack(this.blockStack),
        },
        texts,
      ),
      new RowKind(
        'total_size',
        {
          total_size: amount(this.segmentBytes),
          blocks: field(this.segmentBlocks, Number.NaN, listOf),
          address: amount(this.segmentAddress),
          device: amount(this.segmentDevice),
          frames: stack(this.segmentStack),
          stream: amount(this.segmentStream),
          is_expandable: field(this.isExpandable, 0, flagOf),
        },
        texts,
      ),
      new RowKind(
        'filename',
        {
          filename: field(this.file, Number.NaN, textOf),
          name: field(this.name, Number.NaN, textOf),
          line: number(this.line),
        },
        texts,
      ),
    ];
  }

  /** The code of a text among some words; 0 for every other value. */
  #wordOf(words: readonly (readonly [word: string, code: number])[]): Convert {
    const codes = new Map(words);
    const known = new Map<number, number>();
    return (valueTag, value) => {
      if (valueTag !== tag.text) return 0;
      const code = known.get(value) ?? codes.get(this.texts.texts[value]) ?? 0;
      known.set(value, code);
      return code;
    };
  }
}

/** States as snapshots write them: PyTorch's documentation has another word for the third. */
const blockStateWords = [
  ...blockStates.map((word, code) => [word, code] as const),
  ['active_awaiting_free', blockStates.indexOf('active_pending_free')] as const,
];

/** Indices into `SnapshotRows.kinds`. */
export const rowKinds = {event: 0, block: 1, segment: 2, frame: 3} as const;
