import type {ReportSource} from './report-source.js';
import {ReportTables} from './report-tables.js';

/** What a report is made from: its source, and what several reports of that source share. */
export interface ReportInput extends ReportSource {
  readonly tables: ReportTables;
  /** Words after the report's name: `base` in `cuda_gpu_kern_sum:base`. */
  readonly options: readonly string[];
}

/** A source for one report alone. @param options words after the report's name */
export function reportInput(source: ReportSource, options: readonly string[] = []): ReportInput {
  return {...source, tables: new ReportTables(source), options};
}

/** The ranks of other files, as reports take them. */
export function otherRankInputs({otherRanks = []}: ReportSource): ReportInput[] {
  return otherRanks.map(source => reportInput(source));
}
