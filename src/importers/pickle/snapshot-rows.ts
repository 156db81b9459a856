import {blockStates, traceActions} from '../../core/memory-snapshot/memory-snapshot.js';
import type {HeldMemory} from './held-memory.js';
import {tag} from './pickle-value.js';
import {RowColumn} from './row-column.js';
import {RowKind, type Convert, type Field} from './row-kind.js';
import type {TextIds} from './text-ids.js';

const numberOf: Convert = (valueTag, value) => (valueTag === tag.number ? value : Number.NaN);
/** Returns a number of bytes or an address; 0 for any other value. */
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
  readonly events: RowKind;

  /** `stackOf` returns the stack of a list of frames. */
  constructor(
    held: HeldMemory,
    private readonly texts: TextIds,
    stackOf: Convert,
  ) {
    const floats = (absent: number) => new RowColumn(length => new Float64Array(length), absent, held);
    const ids = () => new RowColumn(length => new Int32Array(length), -1, held);
    const codes = () => new RowColumn(length => new Uint8Array(length), 0, held);
    const amount = (column: RowColumn): Field => ({column, convert: amountOf});
    const number = (column: RowColumn): Field => ({column, convert: numberOf});
    const stack = (column: RowColumn): Field => ({column, convert: stackOf});
    const label = (column: RowColumn): Field => ({column, convert: labelOf(texts)});
    const field = (column: RowColumn, convert: Convert): Field => ({column, convert});

    this.action = codes();
    this.eventAddress = floats(0);
    this.eventBytes = floats(0);
    this.eventStack = ids();
    this.eventTime = floats(Number.NaN);
    this.eventStream = floats(0);
    this.category = ids();
    this.metadata = ids();
    this.state = codes();
    this.blockAddress = floats(Number.NaN);
    this.blockBytes = floats(0);
    this.requestedBytes = floats(Number.NaN);
    this.blockStack = ids();
    this.segmentBytes = floats(0);
    this.segmentBlocks = floats(Number.NaN);
    this.segmentAddress = floats(0);
    this.segmentDevice = floats(0);
    this.segmentStack = ids();
    this.segmentStream = floats(0);
    this.isExpandable = codes();
    this.file = floats(Number.NaN);
    this.name = floats(Number.NaN);
    this.line = floats(Number.NaN);
    this.kinds = [
      new RowKind(
        'action',
        {
          action: field(this.action, this.#wordOf(traceActions.map((word, code) => [word, code]))),
          addr: amount(this.eventAddress),
          size: amount(this.eventBytes),
          frames: stack(this.eventStack),
          time_us: number(this.eventTime),
          stream: amount(this.eventStream),
          category: label(this.category),
          user_metadata: label(this.metadata),
        },
        texts,
        held,
      ),
      new RowKind(
        'state',
        {
          state: field(this.state, this.#wordOf(blockStateWords)),
          address: number(this.blockAddress),
          size: amount(this.blockBytes),
          requested_size: number(this.requestedBytes),
          frames: stack(this.blockStack),
        },
        texts,
        held,
      ),
      new RowKind(
        'total_size',
        {
          total_size: amount(this.segmentBytes),
          blocks: field(this.segmentBlocks, listOf),
          address: amount(this.segmentAddress),
          device: amount(this.segmentDevice),
          frames: stack(this.segmentStack),
          stream: amount(this.segmentStream),
          is_expandable: field(this.isExpandable, flagOf),
        },
        texts,
        held,
      ),
      new RowKind(
        'filename',
        {
          filename: field(this.file, textOf),
          name: field(this.name, textOf),
          line: number(this.line),
        },
        texts,
        held,
      ),
    ];
    this.events = this.kinds[rowKinds.event];
  }

  /** Returns the code of a text among some words; 0 for any other value. */
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

/** The states in snapshots: PyTorch's documentation has another word for the third. */
const blockStateWords = [
  ...blockStates.map((word, code) => [word, code] as const),
  ['active_awaiting_free', blockStates.indexOf('active_pending_free')] as const,
];

/** Indices into `SnapshotRows.kinds`. */
export const rowKinds = {event: 0, block: 1, segment: 2, frame: 3} as const;
