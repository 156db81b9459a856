import type {TimelineWindow, VisibleTimeline} from '../core/layout/visible-timeline.js';
import type {Activity} from '../core/questions/activity.js';
import type {MergedPlace, MergedSlices} from '../core/questions/merged-slices.js';
import type {SearchGroups} from '../core/questions/search-groups.js';
import type {SearchQuery, SearchResult, SearchStep} from '../core/questions/search-slices.js';
import type {SliceDurations} from '../core/questions/slice-durations.js';
import type {SliceContext} from '../core/questions/slice-context.js';
import type {InstantDetails, SliceArgument, SliceDetails} from '../core/questions/slice-details.js';
import type {LanePlace} from '../core/questions/slice-neighbours.js';
import type {SliceLink} from '../core/questions/slice-links.js';
import type {PathPicture, SliceSlack} from '../core/what-if/recorded/path-at.js';
import type {WindowSelection, WindowSummary} from '../core/questions/window-summary.js';
import {namesOf} from './names-of.js';

/** The questions of a timeline about one profile. `Of` names it, by the engine's id or by a view's key. */
export interface TimelineQueries<Of> {
  'timeline/visible': {params: Of & {window: TimelineWindow}; result: VisibleTimeline};
  'timeline/activity': {params: Of & {parts: number}; result: Activity[]};
  'timeline/search': {params: Of & {query: SearchQuery; step: SearchStep}; result: SearchResult};
  /** The matching names with counts and total times. @see searchGroups */
  'timeline/search-groups': {params: Of & {query: SearchQuery}; result: SearchGroups};
  /** The slices that a block combines. */
  'timeline/merged': {params: Of & {place: MergedPlace}; result: MergedSlices | null};
  'timeline/window': {params: Of & {selection: WindowSelection}; result: WindowSummary};
  /** The critical path of the step at a time; null for the usual step. */
  'timeline/path': {params: Of & {atNs: number | null}; result: PathPicture};
  'slice/details': {params: Of & {slice: number}; result: SliceDetails | null};
  'slice/context': {params: Of & {slice: number}; result: SliceContext | null};
  'slice/links': {params: Of & {slice: number}; result: SliceLink[]};
  /** What it waits for, and what waits for it. Reads the file again; can be cancelled. */
  'slice/waits': {params: Of & {slice: number}; result: SliceLink[]};
  /** How much longer it could take before its step's critical path gets longer; null if unknown. */
  'slice/slack': {params: Of & {slice: number}; result: SliceSlack | null};
  /** The distribution of durations of slices of its kind and name, and its own place in it. */
  'slice/durations': {params: Of & {slice: number}; result: SliceDurations | null};
  'slice/neighbour': {params: Of & {slice: number; direction: -1 | 1}; result: SliceDetails | null};
  'slice/on-lane': {params: Of & {place: LanePlace; direction: -1 | 1}; result: SliceDetails | null};
  /**
   * The details in the file, in order, with occupancy and bandwidth. Reads the file again, and unpacks a compressed
   * one; can be cancelled.
   */
  'slice/arguments': {params: Of & {slice: number}; result: readonly SliceArgument[]};
  'instant/details': {params: Of & {instant: number}; result: InstantDetails | null};
  /** As for slices. */
  'instant/arguments': {params: Of & {instant: number}; result: readonly SliceArgument[]};
}

/** The names of all of them: without one of them, this does not compile. */
export const timelineQueryNames = namesOf<keyof TimelineQueries<unknown>>({
  'timeline/visible': true,
  'timeline/activity': true,
  'timeline/search': true,
  'timeline/search-groups': true,
  'timeline/merged': true,
  'timeline/window': true,
  'timeline/path': true,
  'slice/details': true,
  'slice/context': true,
  'slice/links': true,
  'slice/waits': true,
  'slice/slack': true,
  'slice/durations': true,
  'slice/neighbour': true,
  'slice/on-lane': true,
  'slice/arguments': true,
  'instant/details': true,
  'instant/arguments': true,
});
