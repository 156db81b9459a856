import type {SliceContext} from '../../src/core/questions/slice-context.js';
import type {MergedPlace, MergedSlices} from '../../src/core/questions/merged-slices.js';
import type {InstantDetails, SliceArgument, SliceDetails} from '../../src/core/questions/slice-details.js';
import type {LanePlace} from '../../src/core/questions/slice-neighbours.js';
import type {SliceLink} from '../../src/core/questions/slice-links.js';
import type {SliceSlack} from '../../src/core/what-if/recorded/path-at.js';
import {errorText} from '../shared/copied.js';
import type {Host} from '../shared/host.js';
import type {StoredSelection} from './stored-views.js';

/** Receives the data of a selection as it arrives. */
export interface SelectionListener {
  /** The selection has changed, or was cleared. */
  changed(slice: SliceDetails | null, instant: InstantDetails | null): void;
  linked(links: readonly SliceLink[]): void;
  /** The context of a slice has arrived. */
  placed(context: SliceContext): void;
  /** How much longer the slice could take without delaying its step. */
  slackRead(slack: SliceSlack): void;
  /** The file's data on the slice. */
  argumentsRead(args: readonly SliceArgument[]): void;
}

const remembered = 2000;

/** The selected slice or instant of a profile, and the requests about it. */
export class Selection {
  #key = -1;
  #slice: SliceDetails | null = null;
  #chosen = -1;
  #links: readonly SliceLink[] = [];
  /** Resolves when the links of the selected slice have arrived. */
  #linked: Promise<unknown> = Promise.resolve();
  /** Aborted when the selection changes: data on the earlier slice is no longer needed. */
  #reading = new AbortController();
  /** Requested details by slice: the mouse passes the same slices repeatedly. */
  readonly #details = new Map<number, Promise<SliceDetails | null>>();

  constructor(
    private readonly host: Host,
    private readonly listener: SelectionListener,
  ) {}

  /** Begins with another profile. */
  reset(key: number): void {
    this.#key = key;
    this.#details.clear();
    this.#begin();
    this.listener.changed(null, null);
  }

  /** The selected slice, even before its data arrives; -1 for none. */
  get chosen(): number {
    return this.#chosen;
  }

  get slice(): SliceDetails | null {
    return this.#slice;
  }

  get links(): readonly SliceLink[] {
    return this.#links;
  }

  /** Returns the details of a slice; null if there is none or the engine is gone. */
  details(slice: number): Promise<SliceDetails | null> {
    let details = this.#details.get(slice);
    if (!details) {
      if (this.#details.size > remembered) this.#details.clear();
      details = this.host.ask('slice/details', {key: this.#key, slice}).catch(() => {
        // The engine starts again with the next question.
        this.#details.delete(slice);
        return null;
      });
      this.#details.set(slice, details);
    }
    return details;
  }

  /** Returns the contents of a merged block; null if the engine is gone. */
  merged(place: MergedPlace): Promise<MergedSlices | null> {
    return this.host.ask('timeline/merged', {key: this.#key, place}).catch(() => null);
  }

  instantDetails(instant: number): Promise<InstantDetails | null> {
    return this.host.ask('instant/details', {key: this.#key, instant}).catch(() => null);
  }

  clear(): void {
    this.#begin();
    this.listener.changed(null, null);
  }

  /** Selects a slice, and requests all data about it. */
  async selectSlice(slice: number): Promise<SliceDetails | null> {
    const {signal} = this.#begin();
    this.#chosen = slice;
    const details = await this.details(slice);
    if (signal.aborted) return null;
    this.#slice = details;
    this.listener.changed(details, null);
    if (!details) return null;
    const key = this.#key;
    const addLinks = (links: readonly SliceLink[]) => {
      this.#links = [...this.#links, ...links];
      this.listener.linked(this.#links);
    };
    this.#linked = this.#tell(this.host.ask('slice/links', {key, slice}), signal, addLinks);
    void this.#tell(this.host.ask('slice/waits', {key, slice}, {signal}), signal, addLinks);
    void this.#tell(this.host.ask('slice/context', {key, slice}), signal, context => {
      if (context) this.listener.placed(context);
    });
    void this.#tell(this.host.ask('slice/slack', {key, slice}), signal, slack => {
      if (slack) this.listener.slackRead(slack);
    });
    void this.#tellArguments(this.host.ask('slice/arguments', {key, slice}, {signal}), signal);
    return details;
  }

  /** Restores an earlier selection, if the same slice or instant is still there. */
  async restore({kind, row, name, atNs}: StoredSelection): Promise<void> {
    const {signal} = this.#reading;
    const slice = kind === 'slice' ? await this.details(row) : null;
    const instant = kind === 'instant' ? await this.instantDetails(row) : null;
    if (signal.aborted) return;
    if (slice?.name === name && slice.startNs === atNs) await this.selectSlice(row);
    else if (instant?.name === name && instant.atNs === atNs) await this.selectInstant(row);
    else this.clear();
  }

  async selectInstant(instant: number): Promise<void> {
    const {signal} = this.#begin();
    const details = await this.instantDetails(instant);
    if (signal.aborted) return;
    this.listener.changed(null, details);
    if (details)
      await this.#tellArguments(this.host.ask('instant/arguments', {key: this.#key, instant}, {signal}), signal);
  }

  /** Returns the slice next to the selected one on its lane; null at the lane's end, and without a selection. */
  async neighbour(direction: -1 | 1): Promise<SliceDetails | null> {
    if (!this.#slice) return null;
    return this.host.ask('slice/neighbour', {key: this.#key, slice: this.#slice.slice, direction}).catch(() => null);
  }

  /** Returns the slice of a lane nearest to a time, after it (1) or before it (-1). */
  onLane(place: LanePlace, direction: -1 | 1): Promise<SliceDetails | null> {
    return this.host.ask('slice/on-lane', {key: this.#key, place, direction}).catch(() => null);
  }

  /**
   * Returns the slice at the other end of the first flow out of the selected one (1), or into it (-1), once its flows
   * were read; null if there is none, or if something else was selected meanwhile.
   */
  async followed(direction: -1 | 1): Promise<SliceDetails | null> {
    const {signal} = this.#reading;
    const own = this.#chosen;
    if (own < 0) return null;
    // The links are requested after the details have arrived.
    await this.details(own);
    await this.#linked;
    if (signal.aborted) return null;
    // The way back from a kernel is the call that launched it.
    const links = [...this.#links].sort((a, b) => Number(b.kind === 'launch') - Number(a.kind === 'launch'));
    for (const {from, to} of links) {
      if (direction > 0 && from.slice === own) return to;
      if (direction < 0 && to.slice === own) return from;
    }
    return null;
  }

  #begin(): AbortController {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#slice = null;
    this.#chosen = -1;
    this.#links = [];
    this.#linked = Promise.resolve();
    return this.#reading;
  }

  /** Passes on an answer unless the selection has changed by then; failed requests are ignored. */
  async #tell<T>(asked: Promise<T>, signal: AbortSignal, tell: (answer: T) => void): Promise<void> {
    const answer = await asked.catch(() => null);
    if (!signal.aborted && answer !== null) tell(answer);
  }

  /** The arguments are read from the file, which may take a moment, or fail because the file is gone. */
  async #tellArguments(asked: Promise<readonly SliceArgument[]>, signal: AbortSignal): Promise<void> {
    try {
      const args = await asked;
      if (!signal.aborted) this.listener.argumentsRead(args);
    } catch (error) {
      const value = errorText(error);
      if (!signal.aborted) this.listener.argumentsRead([{name: '', value}]);
    }
  }
}
