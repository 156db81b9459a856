import type {ReportInput} from './report.js';
import type {ReportSource} from './report-source.js';
import {ReportTables} from './report-tables.js';

/** A source for one report alone. @param options words after the report's name */
export function reportInput(source: ReportSource, options: readonly string[] = []): ReportInput {
  return {...source, tables: new ReportTables(source), options};
}

/** The ranks of other files, as reports take them. */
export function otherRankInputs({otherRanks = []}: ReportSource): ReportInput[] {
  return otherRanks.map(source => reportInput(source));
}
