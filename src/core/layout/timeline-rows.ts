import {trackText} from '../names/track-text.js';
import {pushAll} from '../table/extremes.js';
import type {CounterSummary, TimelineSummary, TrackSummary} from './timeline-summary.js';
import type {LaneSection, SectionKind} from './lane-sections.js';

/** Heights in CSS pixels. */
export const laneHeightPx = 18;
export const groupHeightPx = 22;
const instantsHeightPx = 16;
const counterHeightPx = 40;
const trackPaddingPx = 3;

/** The user's arrangement. Rows are identified by their keys, which other profiles of the same program share. */
export interface TimelineLayout {
  /** Rows and groups that differ from their initial state: folded instead of open, or open instead of folded. */
  readonly toggled: ReadonlySet<string>;
  /** Rows on top, in the order of display. */
  readonly pinned: ReadonlySet<string>;
  /** Groups by key, and tracks and counters by `blockKey`, in the user's order; others follow in their usual order. */
  readonly order: readonly string[];
  /** Rows without this text in their name or their group's are hidden; case is ignored. */
  readonly filter: string;
}

export const plainLayout: TimelineLayout = {toggled: new Set(), pinned: new Set(), order: [], filter: ''};

interface Placed {
  readonly key: string;
  /** In the editor's language, as all labels; keys stay English. */
  readonly label: string;
  /** The text next to the row: shorter than its label if the row above shows the rest. */
  readonly shortLabel: string;
  /** From the top of the first row. */
  readonly topPx: number;
  readonly heightPx: number;
}

interface PlacedData extends Placed {
  /** Shared by the rows of one track, which stay together when moved. */
  readonly blockKey: string;
  readonly isPinned: boolean;
}

export interface GroupRow extends Placed {
  readonly kind: 'group';
  readonly isFolded: boolean;
}

/** A section of a track with its lanes. */
export interface TrackRow extends PlacedData {
  readonly kind: 'track';
  readonly track: TrackSummary;
  readonly section: LaneSection;
  readonly isFolded: boolean;
  /** Number of drawn lanes: only the first of a folded row. */
  readonly laneCount: number;
}

/** The instants of a track. */
export interface InstantsRow extends PlacedData {
  readonly kind: 'instants';
  readonly track: TrackSummary;
}

export interface CounterRow extends PlacedData {
  readonly kind: 'counter';
  readonly counter: CounterSummary;
}

/** A heading, or a row drawn over time. */
export type TimelineRow = GroupRow | TrackRow | InstantsRow | CounterRow;
export type DataRow = Exclude<TimelineRow, GroupRow>;

export interface TimelineRows {
  readonly rows: readonly TimelineRow[];
  readonly heightPx: number;
}

/** Rows before they are placed. */
type Draft = Unplaced<TrackRow> | Unplaced<InstantsRow> | Unplaced<CounterRow>;
type Unplaced<Row> = Omit<Row, 'topPx'>;

type SectionLabels = Readonly<Record<SectionKind, string>>;

const sectionLabels: SectionLabels = {
  all: '',
  ranges: 'ranges and operators',
  calls: 'CUDA API',
  frames: 'Python frames',
};

/** AMD's GPUs are called by HIP, also where PyTorch's profiler names the calls' category `cuda_runtime`. */
function labelsFor(tracks: readonly TrackSummary[]): SectionLabels {
  const isAmd = tracks.some(({device, group}) => device >= 0 && /\bAMD\b|\bRadeon\b|\bInstinct\b/.test(group));
  return isAmd ? {...sectionLabels, calls: 'HIP API'} : sectionLabels;
}

/**
 * Stacks the rows of a timeline from top to bottom: pinned rows, then each group under its heading, a track's instants
 * above it and a group's counters below its tracks. Python frames are initially folded, because they are the deepest.
 */
export function timelineRows(
  {tracks, counters}: TimelineSummary,
  {toggled, pinned, order, filter}: TimelineLayout = plainLayout,
): TimelineRows {
  const groups = new Map<string, Draft[]>();
  const draftsOf = (group: string) => {
    const drafts = groups.get(group) ?? [];
    groups.set(group, drafts);
    return drafts;
  };
  const labels = labelsFor(tracks);
  for (const track of tracks) pushAll(draftsOf(track.group), trackDrafts(track, labels, {toggled, pinned}));
  for (const counter of counters) draftsOf(counter.group).push(counterDraft(counter, pinned));
  const stack = new RowStack();
  const wanted = filter.trim().toLowerCase();
  const isWanted = (group: string, {label}: Draft) => `${trackText(group)} ${label}`.toLowerCase().includes(wanted);
  const shown = [...groups].map(([group, drafts]) => [group, drafts.filter(draft => isWanted(group, draft))] as const);
  const onTop = ordered(
    shown.flatMap(([, drafts]) => drafts.filter(({isPinned}) => isPinned)),
    [...pinned],
    ({key}) => key,
  );
  if (onTop.length > 0) {
    stack.addGroup('pinned', trackText('Pinned'), false);
    for (const draft of onTop) stack.add(draft);
  }
  for (const [group, drafts] of ordered(shown, order, ([key]) => key)) {
    const own = ordered(
      drafts.filter(({isPinned}) => !isPinned),
      order,
      ({blockKey}) => blockKey,
    );
    if (own.length === 0) continue;
    const isFolded = toggled.has(group);
    stack.addGroup(group, trackText(group), isFolded);
    if (!isFolded) for (const draft of own) stack.add(draft);
  }
  return stack.finish();
}

/** Returns values in the order of their keys; values whose key is not in the order follow unchanged. */
function ordered<T>(values: readonly T[], order: readonly string[], keyOf: (value: T) => string): readonly T[] {
  if (order.length === 0) return values;
  const placeOf = new Map(order.map((key, place) => [key, place]));
  const place = (value: T) => placeOf.get(keyOf(value)) ?? order.length;
  return [...values].sort((a, b) => place(a) - place(b));
}

function trackDrafts(
  track: TrackSummary,
  labels: SectionLabels,
  {toggled, pinned}: Pick<TimelineLayout, 'toggled' | 'pinned'>,
): Draft[] {
  const drafts: Draft[] = [];
  const blockKey = `${track.group}\n${track.name}`;
  const name = trackText(track.name);
  if (track.instantCount > 0) {
    const key = `${blockKey}\ninstants`;
    const isAlone = track.sections.length === 0;
    const label = isAlone ? name : `${name} · ${trackText('markers')}`;
    const shortLabel = isAlone ? name : `${trackText('Markers')} · ${name}`;
    drafts.push({
      kind: 'instants',
      key,
      blockKey,
      label,
      shortLabel,
      track,
      heightPx: instantsHeightPx,
      isPinned: pinned.has(key),
    });
  }
  for (const section of track.sections) {
    const key = `${blockKey}\n${section.kind}`;
    const title = trackText(labels[section.kind]);
    const isFolded = toggled.has(key) !== (section.kind === 'frames');
    const laneCount = isFolded ? 1 : section.laneCount;
    drafts.push({
      kind: 'track',
      key,
      blockKey,
      label: title === '' ? name : `${name} · ${title}`,
      shortLabel: shortLabelOf(name, title, section, pinned.has(key)),
      track,
      section,
      isFolded,
      isPinned: pinned.has(key),
      laneCount,
      heightPx: laneCount * laneHeightPx + 2 * trackPaddingPx,
    });
  }
  return drafts;
}

/**
 * Returns the short label. A thread's name is shown only next to its first section; pinned rows show their full label.
 */
function shortLabelOf(name: string, title: string, {kind, firstLane}: LaneSection, isPinned: boolean): string {
  if (isPinned && kind !== 'all') return `${title} · ${name}`;
  return firstLane === 0 ? name : title;
}

function counterDraft(counter: CounterSummary, pinned: ReadonlySet<string>): Draft {
  const key = `${counter.group}\n${counter.name}\ncounter`;
  const name = trackText(counter.name);
  return {
    kind: 'counter',
    key,
    blockKey: key,
    label: name,
    shortLabel: name,
    counter,
    heightPx: counterHeightPx,
    isPinned: pinned.has(key),
  };
}

class RowStack {
  readonly #rows: TimelineRow[] = [];
  #topPx = 0;

  add(row: Draft): void {
    this.#rows.push({...row, topPx: this.#topPx});
    this.#topPx += row.heightPx;
  }

  addGroup(key: string, label: string, isFolded: boolean): void {
    this.#rows.push({
      kind: 'group',
      key,
      label,
      shortLabel: label,
      isFolded,
      topPx: this.#topPx,
      heightPx: groupHeightPx,
    });
    this.#topPx += groupHeightPx;
  }

  finish(): TimelineRows {
    return {rows: this.#rows, heightPx: this.#topPx};
  }
}

/** Returns the rows that overlap a range of heights. */
export function rowsBetween({rows}: TimelineRows, fromPx: number, toPx: number): TimelineRow[] {
  return rows.filter(({topPx, heightPx}) => topPx < toPx && topPx + heightPx > fromPx);
}

/** Returns the row at a height; null below the last. */
export function rowAt({rows}: TimelineRows, yPx: number): TimelineRow | null {
  return rows.find(({topPx, heightPx}) => yPx >= topPx && yPx < topPx + heightPx) ?? null;
}

/** Returns the row that shows a lane of a track; null if it is filtered out, or its group is folded. */
export function rowOfLane({rows}: TimelineRows, track: number, lane: number): TrackRow | null {
  for (const row of rows) {
    if (row.kind !== 'track' || row.track.track !== track) continue;
    const {firstLane, laneCount} = row.section;
    if (lane >= firstLane && lane < firstLane + laneCount) return row;
  }
  return null;
}

/** Returns the top of a lane of a track row; a folded row shows only its first lane. */
export function laneTopPx(row: TrackRow, lane: number): number {
  return row.topPx + trackPaddingPx + (lane - row.section.firstLane) * laneHeightPx;
}

/** Returns the track and lane at a height; null between lanes and on other rows. */
export function laneAt(rows: TimelineRows, yPx: number): {readonly track: number; readonly lane: number} | null {
  const row = rowAt(rows, yPx);
  if (row?.kind !== 'track') return null;
  const lane = Math.floor((yPx - row.topPx - trackPaddingPx) / laneHeightPx);
  return lane >= 0 && lane < row.laneCount ? {track: row.track.track, lane: row.section.firstLane + lane} : null;
}

/** Returns the lanes of a track row that overlap a range of heights, `endLane` exclusive. */
export function lanesBetween(row: TrackRow, fromPx: number, toPx: number): {firstLane: number; endLane: number} {
  const {firstLane} = row.section;
  const inside = (px: number) => Math.floor((px - row.topPx - trackPaddingPx) / laneHeightPx);
  const first = Math.max(0, Math.min(row.laneCount - 1, inside(fromPx)));
  const last = Math.max(first, Math.min(row.laneCount - 1, inside(toPx)));
  return {firstLane: firstLane + first, endLane: firstLane + last + 1};
}

/**
 * Returns the scroll position that makes a lane of a row visible, in px: `scrollPx` if it already is, else the one that
 * centers the lane. A deep lane may be below the edge although its track is visible.
 */
export function scrollToShow(row: TrackRow, lane: number, scrollPx: number, visiblePx: number): number {
  const topPx = row.isFolded ? row.topPx : laneTopPx(row, lane);
  const isInSight = topPx >= scrollPx && topPx + 40 <= scrollPx + visiblePx;
  return isInSight ? scrollPx : topPx - (visiblePx - laneHeightPx) / 2;
}
