import {partOfKind, threadParts, type LaneSection} from '../layout/lane-sections.js';
import {binCount, SliceBins} from '../layout/slice-bins.js';
import type {TimelineSummary, TrackSummary} from '../layout/timeline-summary.js';
import {addSketchBlocks} from '../layout/sketch-blocks.js';
import {noCounters} from '../layout/visible-counters.js';
import {noInstants} from '../layout/visible-instants.js';
import type {VisibleTimeline} from '../layout/visible-timeline.js';
import {mostBlocks, shownNames, visibleSchema, type VisibleSlices} from '../layout/visible-slices.js';
import {TableBuilder} from '../table/table.js';
import {sliceKinds} from '../trace/slices.js';
import type {DraftTrace} from '../trace/trace-builder.js';
import {groupOf, inTimelineOrder, trackName} from './tracks.js';

/** A coarse picture of what was read of a file so far, without figures, drawn until everything is read. */
export interface SketchPicture extends TimelineSummary {
  /** The first start so far, in the importer's own time. The picture's times count from it. */
  readonly originNs: number;
  /** The time from there to the last end so far, ns. */
  readonly spanNs: number;
  readonly timeline: VisibleTimeline;
  /** The width of the timeline's window for which its blocks were made, in pixels. */
  readonly widthPx: number;
}

const leastBinNs = 1024;
/** The smallest number of parts of a row, however many rows there are. */
const leastParts = 32;
/** In a row with more slices (hundreds per bin), only one of `oneOf` short slices is read. */
const allOfFirst = 8192;
const oneOf = 8;
/**
 * At most so many slices per call are spread over all the bins that they cover. Of further slices, which no recording
 * has, only the ends count.
 */
const mostSpread = 20_000;

/** A row of the picture: a track, or one sort of slices of a thread. */
interface SketchRow {
  readonly track: number;
  readonly part: number;
  bins: SliceBins;
  sliceCount: number;
}

/**
 * A coarse picture of slices while a file is read. Time is divided into bins, which widen as later slices arrive, so
 * memory is the same for every file, and each slice is read at most once.
 */
export class TraceSketch {
  readonly #draft: () => DraftTrace;
  readonly #rows: (SketchRow | undefined)[] = [];
  #readSlices = 0;
  #firstNs = Infinity;
  #lastNs = -Infinity;
  #binNs = leastBinNs;
  /** The number, counted from time 0, of each row's first bin. */
  #firstBin = 0;

  /** @param draft returns what has been read so far */
  constructor(draft: () => DraftTrace) {
    this.#draft = draft;
  }

  /** Returns the picture of what has been read so far; null before the first slice. */
  picture(): SketchPicture | null {
    const draft = this.#draft();
    this.#read(draft);
    return this.#firstNs > this.#lastNs ? null : this.#drawn(draft);
  }

  #read({slices, tracks}: DraftTrace): void {
    const {track, startNs, durationNs, name, kind, length} = slices;
    const from = this.#readSlices;
    this.#readSlices = length;
    this.#widen(slices, from);
    const [binNs, firstBin] = [this.#binNs, this.#firstBin];
    const isThread = Uint8Array.from(tracks, each => Number(each.kind === 'thread'));
    const rows = this.#rows;
    const seen = Float64Array.from({length: tracks.length * threadParts.length}, (_, at) => rows[at]?.sliceCount ?? 0);
    let spread = 0;
    for (let slice = from; slice < length; slice++) {
      const own = track[slice];
      const part = isThread[own] === 1 ? partOfKind[kind[slice]] : 0;
      const at = own * threadParts.length + part;
      const duration = durationNs[slice];
      const place = seen[at]++;
      const isOneOfMany = place >= allOfFirst && duration < binNs;
      if (isOneOfMany && place % oneOf !== 0) continue;
      const row = (rows[at] ??= newRow(own, part));
      const first = Math.floor(startNs[slice] / binNs) - firstBin;
      const last = Math.floor((startNs[slice] + duration) / binNs) - firstBin;
      const {bins} = row;
      bins.count[first]++;
      bins.coveredNs[first] += Math.min(duration, binNs) * (isOneOfMany ? oneOf : 1);
      const isSpread = last === first || spread++ < mostSpread;
      bins.fill(first, isSpread ? last : first, duration, name[slice], kind[slice]);
    }
    for (const row of rows) if (row) row.sliceCount = seen[row.track * threadParts.length + row.part];
  }

  /** Makes room for slices from `from` on. Bins start at multiples of their width, so two merge into one. */
  #widen({startNs, durationNs, length}: DraftTrace['slices'], from: number): void {
    let [firstNs, lastNs] = [this.#firstNs, this.#lastNs];
    for (let slice = from; slice < length; slice++) {
      const startAtNs = startNs[slice];
      const endNs = startAtNs + durationNs[slice];
      if (startAtNs < firstNs) firstNs = startAtNs;
      if (endNs > lastNs) lastNs = endNs;
    }
    if (firstNs > lastNs) return;
    const before = this.#binNs;
    let binNs = before;
    while (Math.floor(lastNs / binNs) - Math.floor(firstNs / binNs) >= binCount) binNs *= 2;
    const firstBin = Math.floor(firstNs / binNs);
    const isMoved = binNs !== before || firstBin !== this.#firstBin;
    const shift = Math.log2(binNs / before);
    if (isMoved) for (const row of this.#rows) if (row) row.bins = row.bins.moved(this.#firstBin, shift, firstBin);
    this.#firstNs = firstNs;
    this.#lastNs = lastNs;
    this.#binNs = binNs;
    this.#firstBin = firstBin;
  }

  #drawn(draft: DraftTrace): SketchPicture {
    const {tracks: specs} = draft;
    const slicesOfProcess = new Float64Array(draft.processes.length);
    const listed = specs
      .map((spec, track) => ({spec, track, rows: this.#rowsOf(track)}))
      .filter(({rows}) => rows.length > 0)
      .sort((a, b) => a.spec.order - b.spec.order || a.track - b.track)
      .map(({spec, track, rows}) => {
        const sliceCount = rows.reduce((sum, row) => sum + row.sliceCount, 0);
        if (spec.process >= 0) slicesOfProcess[spec.process] += sliceCount;
        const sections = rows.map((row, lane) => sectionOf(row, lane, rows.length === 1));
        const summary: TrackSummary = {
          track,
          kind: spec.kind,
          name: trackName(draft, spec),
          group: groupOf(draft, spec.device, spec.process),
          device: spec.device,
          stream: -1,
          laneCount: rows.length,
          sections,
          sliceCount,
          instantCount: 0,
        };
        return {summary, track: spec, rows};
      });
    const originNs = this.#firstNs;
    return {
      tracks: inTimelineOrder(listed, slicesOfProcess),
      counters: [],
      originNs,
      spanNs: this.#lastNs - originNs,
      timeline: {
        slices: this.#blocks(
          draft,
          listed.map(({rows}) => rows),
        ),
        instants: noInstants(),
        counters: noCounters(),
      },
      widthPx: binCount,
    };
  }

  #rowsOf(track: number): SketchRow[] {
    const first = track * threadParts.length;
    return this.#rows.slice(first, first + threadParts.length).filter(row => row !== undefined);
  }

  /** @param rowsOfTracks the rows of each track, one lane each */
  #blocks(draft: DraftTrace, rowsOfTracks: readonly (readonly SketchRow[])[]): VisibleSlices {
    const rowCount = rowsOfTracks.reduce((sum, rows) => sum + rows.length, 0);
    let step = 1;
    while ((rowCount * binCount) / step > mostBlocks && binCount / step > leastParts) step *= 2;
    const table = new TableBuilder(visibleSchema);
    const names = new Map<number, number>();
    for (const rows of rowsOfTracks) {
      for (const [lane, row] of rows.entries()) addSketchBlocks(table, names, {...row, lane, binNs: this.#binNs}, step);
    }
    const fromNs = this.#firstBin * this.#binNs - this.#firstNs;
    return {
      fromNs,
      toNs: fromNs + binCount * this.#binNs,
      blocks: table.finish(),
      names: shownNames(draft, [...names.keys()]),
      kinds: sliceKinds,
      groups: null,
      lit: null,
    };
  }
}

function newRow(track: number, part: number): SketchRow {
  return {track, part, bins: new SliceBins(), sliceCount: 0};
}

function sectionOf({part, sliceCount}: SketchRow, lane: number, isAlone: boolean): LaneSection {
  return {kind: isAlone ? 'all' : threadParts[part], firstLane: lane, laneCount: 1, sliceCount};
}
