export interface StageReport {
  passed: number;
  failed: number;
  skipped: number;
  tests: {name: string; seconds: number}[];
  skips: {name: string; reason: string}[];
}
export function readVitest(file: string, notes: string): StageReport;
export function readPytest(file: string): StageReport;
