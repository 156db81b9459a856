import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {MemoryFrames, MemoryStacks} from '../../core/memory-snapshot/memory-snapshot.js';
import {GrowingColumn} from './growing-column.js';
import type {HeldMemory} from './held-memory.js';
import {HeapList} from './heap-list.js';
import {KnownLists} from './known-lists.js';
import {damagedPickle} from './pickle-error.js';
import {tag} from './pickle-value.js';
import {rowKinds, SnapshotRows} from './snapshot-rows.js';
import {StackTree} from './stack-tree.js';
import {TextIds} from './text-ids.js';

/** The present form of a dictionary or list. Below `emptyDictionary`: a row of that kind. */
const form = {emptyDictionary: 8, dictionary: 9, emptyList: 10, list: 11, stack: 12} as const;
/** The lowest bits of a container are its form, the others its row, stack or index. */
const formBits = 4;
const formMask = (1 << formBits) - 1;
const mostOfAForm = 1 << (31 - formBits);
const emptyDictionary = (-1 << formBits) | form.emptyDictionary;
const emptyList = (-1 << formBits) | form.emptyList;

const bytesPerContainer = 200;
const bytesPerItem = 80;

/** A value with its tag. */
export interface TaggedValue {
  readonly tag: number;
  readonly value: number;
}

/**
 * Dictionaries and lists of a pickle by number. Kinds that a snapshot has by the million become rows of columns, and
 * lists of frames become stacks, as soon as they are filled; only their numbers are kept.
 */
export class SnapshotHeap {
  readonly texts: TextIds;
  readonly rows: SnapshotRows;
  readonly #stacks: StackTree;
  #knownLists: KnownLists;
  /** Each with its form, and with the row, the stack, or the index into `#lists` or `#dictionaries`. */
  readonly #containers: GrowingColumn<Int32Array>;
  readonly #lists: HeapList[] = [];
  readonly #dictionaries: Map<number, TaggedValue>[] = [];
  /** By a frame's row, its number among the distinct frames, plus 1; 0 before it is first requested. */
  readonly #frameIds: GrowingColumn<Int32Array>;
  readonly #knownFrames = new Map<string, number>();
  readonly #frameRows: number[] = [];
  /** The kind of row that each text identifies, by the text's number, or -1. */
  readonly #kindOfText: number[] = [];

  constructor(private readonly held: HeldMemory) {
    this.texts = new TextIds(held);
    this.#stacks = new StackTree(held);
    this.rows = new SnapshotRows(held, this.texts, (valueTag, value) => this.stackOf(valueTag, value));
    this.#knownLists = new KnownLists(held);
    this.#containers = new GrowingColumn(new Int32Array(1024), held);
    this.#frameIds = new GrowingColumn(new Int32Array(256), held);
  }

  addDictionary(): number {
    return this.#containers.push(emptyDictionary);
  }

  addList(): number {
    return this.#containers.push(emptyList);
  }

  /** Puts pairs of a key and a value, which lie in turn from `from` and before `to`, into a dictionary. */
  setItems(dictionary: number, tags: Uint8Array, values: Float64Array, from: number, to: number): void {
    if (this.#formOf(dictionary) >= form.emptyDictionary) {
      const marked = this.#markedKind(tags, values, from, to);
      if (marked >= 0) this.#becomeRow(dictionary, marked);
    }
    const kind = this.#formOf(dictionary);
    if (kind >= form.emptyDictionary) {
      for (let i = from; i < to; i += 2) this.#setPlain(dictionary, tags, values, i);
      return;
    }
    const row = this.#indexOf(dictionary);
    const rowKind = this.rows.kinds[kind];
    for (let i = from; i < to; i += 2) {
      if (tags[i] === tag.text) rowKind.set(row, values[i], tags[i + 1], values[i + 1]);
    }
    if (kind === rowKinds.frame && this.#frameIds.values[row] > 0) {
      // Python shares the dictionary, so lists added later see its new contents.
      this.#frameIds.values[row] = 0;
      this.#knownLists = new KnownLists(this.held);
    }
  }

  /** Appends values to a list. @throws TraceError for a list of frames with any other value */
  append(list: number, tags: Uint8Array, values: Float64Array, from: number, to: number): void {
    const isNew = this.#containers.values[list] === emptyList;
    if (isNew) {
      const known = this.#knownLists.stackOf(tags, values, from, to);
      if (known >= 0) {
        this.#become(list, form.stack, known);
        return;
      }
    }
    for (let i = from; i < to; i++) {
      const frame = tags[i] === tag.dictionary ? this.#frameOf(values[i]) : -1;
      const now = this.#formOf(list);
      if (frame >= 0 && now !== form.list) {
        this.#become(list, form.stack, this.#stacks.add(this.#indexOf(list), frame));
      } else {
        if (now === form.stack) throw damagedPickle(say('a list of frames contains something else'));
        this.#appendPlain(this.#plainList(list), tags[i], values[i]);
      }
    }
    if (isNew && this.#formOf(list) === form.stack) this.#knownLists.keep(values, from, to, this.#indexOf(list));
  }

  /** Returns the stack of a list of frames; -1 for an empty list and any other value. */
  stackOf(valueTag: number, value: number): number {
    return valueTag === tag.list && this.#formOf(value) === form.stack ? this.#indexOf(value) : -1;
  }

  /** Returns the items of a list; null if the value is not a list of plain values. */
  listOf(valueTag: number, value: number): HeapList | null {
    if (valueTag !== tag.list || this.#formOf(value) !== form.list) return null;
    return this.#lists[this.#indexOf(value)];
  }

  /** Returns a dictionary's value of a key; null if it is not a plain dictionary. */
  itemOf(valueTag: number, value: number, key: string): TaggedValue | null {
    if (valueTag !== tag.dictionary || this.#formOf(value) !== form.dictionary) return null;
    return this.#dictionaries[this.#indexOf(value)].get(this.texts.idOf(key)) ?? null;
  }

  /** Returns the distinct frames and stacks. */
  finish(): {frames: MemoryFrames; stacks: MemoryStacks} {
    const {file, name, line} = this.rows;
    const textAt = (id: number): string => this.texts.texts[id] ?? '';
    const frames = {
      length: this.#frameRows.length,
      files: this.#frameRows.map(row => textAt(file.at(row))),
      names: this.#frameRows.map(row => textAt(name.at(row))),
      lines: this.#frameRows.map(row => line.at(row) || 0),
      isNamed: null,
    };
    return {frames, stacks: this.#stacks.finish()};
  }

  #formOf(container: number): number {
    return this.#containers.values[container] & formMask;
  }

  #indexOf(container: number): number {
    return this.#containers.values[container] >> formBits;
  }

  #become(container: number, newForm: number, index: number): void {
    if (index >= mostOfAForm) {
      throw new TraceError('import/too-large', say('The snapshot has more than 134 million events, blocks or stacks.'));
    }
    this.#containers.values[container] = (index << formBits) | newForm;
  }

  #markedKind(tags: Uint8Array, values: Float64Array, from: number, to: number): number {
    for (let i = from; i < to; i += 2) {
      if (tags[i] !== tag.text) continue;
      const kind = this.#kindMarkedBy(values[i]);
      if (kind >= 0) return kind;
    }
    return -1;
  }

  #kindMarkedBy(text: number): number {
    for (let id = this.#kindOfText.length; id <= text; id++) {
      this.#kindOfText.push(this.rows.kinds.findIndex(({mark}) => mark === this.texts.texts[id]));
    }
    return this.#kindOfText[text];
  }

  /** Moves the values set before its identifying key to the row. */
  #becomeRow(dictionary: number, kind: number): void {
    const before = this.#formOf(dictionary) === form.dictionary ? this.#indexOf(dictionary) : -1;
    const row = this.rows.kinds[kind].addRow();
    if (kind === rowKinds.frame) this.#frameIds.push(0);
    this.#become(dictionary, kind, row);
    if (before < 0) return;
    for (const [key, item] of this.#dictionaries[before]) this.rows.kinds[kind].set(row, key, item.tag, item.value);
  }

  #setPlain(dictionary: number, tags: Uint8Array, values: Float64Array, i: number): void {
    if (this.#formOf(dictionary) === form.emptyDictionary) {
      this.held.take(bytesPerContainer);
      this.#become(dictionary, form.dictionary, this.#dictionaries.push(new Map()) - 1);
    }
    if (tags[i] !== tag.text) return;
    this.held.take(bytesPerItem);
    this.#dictionaries[this.#indexOf(dictionary)].set(values[i], {tag: tags[i + 1], value: values[i + 1]});
  }

  /** Appends a value; a dictionary that has become a row is appended as that row. */
  #appendPlain(plain: HeapList, valueTag: number, value: number): void {
    const kind = valueTag === tag.dictionary ? this.#formOf(value) : form.emptyDictionary;
    if (kind < form.emptyDictionary) plain.pushRow(kind, this.#indexOf(value));
    else plain.push(valueTag, value);
  }

  #plainList(list: number): HeapList {
    if (this.#formOf(list) === form.emptyList) {
      this.held.take(bytesPerContainer);
      this.#become(list, form.list, this.#lists.push(new HeapList(this.held)) - 1);
    }
    return this.#lists[this.#indexOf(list)];
  }

  /** Returns the number of a dictionary's frame, or -1 if it is not a frame. */
  #frameOf(dictionary: number): number {
    if (this.#formOf(dictionary) !== rowKinds.frame) return -1;
    const row = this.#indexOf(dictionary);
    const known = this.#frameIds.values[row];
    if (known > 0) return known - 1;
    const {file, name, line} = this.rows;
    const key = `${String(file.at(row))} ${String(name.at(row))} ${String(line.at(row))}`;
    let frame = this.#knownFrames.get(key);
    if (frame === undefined) {
      this.held.take(bytesPerItem);
      frame = this.#frameRows.push(row) - 1;
      this.#knownFrames.set(key, frame);
    }
    this.#frameIds.values[row] = frame + 1;
    return frame;
  }
}
