import {say} from '../../core/base/say.js';
import type {HeldMemory} from '../pickle/held-memory.js';
import {damaged, type NumberListSink} from './number-lists.js';
import {timelineCategories, type TimelineChanges} from './timeline-history.js';

/** Of a change, and of the block that it makes. */
const bytesPerChange = 100;
const bytesPerTime = 8;

/**
 * Reads both layouts of `export_memory_timeline`, which it distinguishes while reading:
 *
 *     [[t, action, bytes, category], …]        raw; t in ns, −1 before the recording
 *     [[t, …], [[0, bytes, bytes, …], …]]      t in µs, and for each the bytes of every category
 */
export class TimelineReader implements NumberListSink {
  readonly #changes = {timeUs: [] as number[], bytes: [] as number[], category: [] as number[]};
  /** The innermost list that is open. */
  #list: number[] = [];
  /** Number of lists of the second depth that have ended, and the first of them: an event, or all times. */
  #lists = 0;
  #first: number[] = [];
  /** Number of lists of the third depth, which only one of the layouts has. */
  #moments = 0;
  /** The blocks of each category, the latest last. */
  readonly #blocks: number[][] = timelineCategories.map(() => []);
  readonly #before: number[] = timelineCategories.map(() => 0);

  constructor(private readonly held: HeldMemory) {}

  begin(depth: number): void {
    if (depth > 3 || (depth === 3 && this.#lists !== 1))
      throw damaged(say('its lists are not nested as PyTorch nests them'));
    this.#list = [];
  }

  number(value: number, depth: number): void {
    if (depth < 2) throw damaged(say('it contains a number where a list should be'));
    this.held.take(bytesPerTime);
    this.#list.push(value);
  }

  end(depth: number): void {
    if (depth === 3) this.#addMoment(this.#first[this.#moments++], this.#list);
    else if (depth === 2) this.#endSecond();
  }

  /** Returns the changes in order. @throws TraceError if the layout is not one of PyTorch's */
  finish(): TimelineChanges {
    if (this.#lists === 1) this.#addEvent(this.#first);
    if (this.#moments > 0 && this.#moments !== this.#first.length)
      throw damaged(say('it does not have as many sizes as times'));
    return this.#changes;
  }

  #endSecond(): void {
    const isEvent = this.#moments === 0;
    if (this.#lists === 0) this.#first = this.#list;
    else if (isEvent) {
      if (this.#lists === 1) this.#addEvent(this.#first);
      this.#addEvent(this.#list);
    } else if (this.#lists > 1) throw damaged(say('its lists are not nested as PyTorch nests them'));
    this.#lists++;
  }

  #addEvent(list: readonly number[]): void {
    if (list.length === 0) return;
    const [timeNs, , bytes, category] = list as [number, number, number, number];
    if (list.length !== 4 || !(category in timelineCategories)) throw damaged(say('an event has another layout'));
    this.#add(timeNs < 0 ? -1 : timeNs / 1000, bytes, category);
  }

  /** Decreases come first, so that no moment exceeds the file's total. */
  #addMoment(timeUs: number | undefined, sizes: readonly number[]): void {
    // The first size is always 0: the bottom of PyTorch's chart.
    if (timeUs === undefined || sizes.length !== timelineCategories.length + 1) {
      throw damaged(say('it does not have as many sizes as times and categories'));
    }
    const changes = timelineCategories.map((_, category) => sizes[category + 1] - this.#before[category]);
    changes.forEach((change, category) => {
      if (change < 0) this.#shrink(timeUs, -change, category);
    });
    changes.forEach((change, category) => {
      if (change > 0) this.#grow(timeUs, change, category);
      this.#before[category] += change;
    });
  }

  #grow(timeUs: number, bytes: number, category: number): void {
    this.#blocks[category].push(bytes);
    this.#add(timeUs, bytes, category);
  }

  /** Frees the latest blocks of a category; the rest of the last one becomes a new block. */
  #shrink(timeUs: number, bytes: number, category: number): void {
    let left = bytes;
    while (left > 0) {
      const block = this.#blocks[category].pop();
      if (block === undefined) return;
      this.#add(timeUs, -block, category);
      if (block > left) this.#grow(timeUs, block - left, category);
      left -= block;
    }
  }

  #add(timeUs: number, bytes: number, category: number): void {
    this.held.take(bytesPerChange);
    this.#changes.timeUs.push(timeUs);
    this.#changes.bytes.push(bytes);
    this.#changes.category.push(category);
  }
}
