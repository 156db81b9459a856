import {getOrAdd} from '../../core/table/get-or-add.js';
import type {DraftSlice, TraceBuilder} from '../../core/trace/trace-builder.js';

/** Slices whose beginning and end are separate events: an end closes the slice of its thread that began last. */
export class OpenBegins {
  /** Ends without a beginning, or without a time. */
  unmatchedEnds = 0;
  /** Beginnings without an end, after `finish`. */
  unended = 0;
  readonly #openByTrack = new Map<number, DraftSlice[]>();

  constructor(private readonly builder: TraceBuilder) {}

  /** Adds the beginning of a slice; `track` is that of its thread, whichever track the slice is on. */
  begin(track: number, slice: DraftSlice): void {
    getOrAdd(this.#openByTrack, track, () => []).push(slice);
  }

  /** Ends the last begun slice at a time; NaN if the event has none. */
  end(track: number, endNs: number): void {
    const slice = this.#openByTrack.get(track)?.pop();
    if (slice === undefined || Number.isNaN(endNs)) this.unmatchedEnds++;
    else this.builder.endSlice(slice, endNs);
  }

  /** Ends all slices that are still open, at the last event. */
  finish(): void {
    if (this.#openByTrack.size === 0) return;
    const lastNs = this.builder.lastEndNs();
    for (const open of this.#openByTrack.values()) {
      this.unended += open.length;
      for (const slice of open) this.builder.endSlice(slice, lastNs);
    }
  }
}
