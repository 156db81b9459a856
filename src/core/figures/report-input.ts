import type {ReportSource} from './report-source.js';
import {ReportTables} from './report-tables.js';

/** The input of a report: its source, and the tables that several reports of that source share. */
export interface ReportInput extends ReportSource {
  readonly tables: ReportTables;
  /** Words after the report's name: `base` in `cuda_gpu_kern_sum:base`. */
  readonly options: readonly string[];
}

/** Makes the input for a single report. @param options words after the report's name */
export function reportInput(source: ReportSource, options: readonly string[] = []): ReportInput {
  return {...source, tables: new ReportTables(source), options};
}

/** Returns report inputs for the ranks in other files. */
export function otherRankInputs({otherRanks = []}: ReportSource): ReportInput[] {
  return otherRanks.map(source => reportInput(source));
}
