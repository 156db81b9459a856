import type {StageReport} from './read-reports.mjs';
export class SuiteResult {
  totals: {passed: number; failed: number; skipped: number};
  failures: string[];
  stages: {name: string; seconds: number}[];
  readonly lastLine: string;
  add(
    name: string,
    report: Pick<StageReport, 'passed' | 'failed' | 'skipped'> & Partial<StageReport>,
    status: number,
  ): void;
  check(name: string, isGood: boolean): void;
  stage(name: string, steps: () => Promise<void>): Promise<void>;
  finish(): void;
}
export function countedReasons(skips: {reason: string}[]): [string, number][];
