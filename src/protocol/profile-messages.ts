import type {FlameGraph, FlameQuery} from '../core/flame/flame-graph.js';
import type {RooflineAnswer, RooflineQuery} from '../core/questions/roofline.js';
import type {Selection} from '../core/scope/selection.js';
import type {PathSummary} from '../core/what-if/recorded/path-summary.js';
import type {TopList} from '../core/summary/summary-tops.js';
import type {TimeSummary} from '../core/summary/time-summary.js';
import type {TableChart} from '../core/tabs/table-chart.js';
import type {TablePage, TableQuery} from '../core/tabs/table-page.js';
import type {TableTab} from '../core/tabs/tab-list.js';
import type {TableChoices} from '../core/tabs/table-tabs.js';
import {namesOf} from './names-of.js';
import {timelineQueryNames, type TimelineQueries} from './timeline-messages.js';

/** The tables of a profile. */
export interface TableList {
  readonly tabs: readonly TableTab[];
  /** The id of the tab that is shown first. */
  readonly first: string;
  readonly choices: TableChoices;
}

/**
 * The questions about one profile that views ask and the engine answers directly. `Of` names the profile, by the
 * engine's id or by a view's key. To add a question, add it here and to the names below.
 */
export interface ProfileQueries<Of> extends TimelineQueries<Of> {
  /** The most important facts about a profile. */
  summary: {params: Of; result: TimeSummary};
  /** The largest entries in a part of the profile. */
  'summary/tops': {params: Of & {selection: Selection}; result: readonly TopList[]};
  /** The parts of the critical path of the usual step; null if there is none. */
  'summary/path': {params: Of; result: PathSummary | null};
  /** The tables of a profile, and the choices that limit them. */
  'tables/list': {params: Of; result: TableList};
  flame: {params: Of & {query: FlameQuery}; result: FlameGraph};
  /** Operators by shape. Reads the shapes from the file. */
  roofline: {params: Of & {query: RooflineQuery}; result: RooflineAnswer};
}

/** The names of all of them: without one of them, this does not compile. */
export const profileQueryNames = [
  ...timelineQueryNames,
  ...namesOf<Exclude<keyof ProfileQueries<unknown>, keyof TimelineQueries<unknown>>>({
    summary: true,
    'summary/tops': true,
    'summary/path': true,
    'tables/list': true,
    flame: true,
    roofline: true,
  }),
];

/** The questions about a table. The host adds the runner's notes that the table shows. */
export interface TableQueries<Of> {
  /** A page of rows. Reads grids and similar details from the file. */
  'tables/page': {params: Of & {query: TableQuery; firstRow: number; count: number}; result: TablePage};
  /** A column of the filtered rows, as bars. */
  'tables/chart': {params: Of & {query: TableQuery; column: number}; result: TableChart};
}
