// Collects the results of a run's stages, and prints them.
import {say} from '../run.mjs';

/** How many of the slowest tests are printed. */
const slowestCount = 20;

/** The outcome of a whole run: counts, times of stages and tests, and why tests were skipped. */
export class SuiteResult {
  totals = {passed: 0, failed: 0, skipped: 0};
  failures = [];
  stages = [];
  tests = [];
  skips = [];

  /** Adds a stage's report. A stage that fails without a failed test (it could not be loaded) counts as one failure. */
  add(name, {passed, failed, skipped, tests = [], skips = []}, status) {
    const failedAtLeast = status === 0 ? failed : Math.max(1, failed);
    this.totals.passed += passed;
    this.totals.failed += failedAtLeast;
    this.totals.skipped += skipped;
    this.tests.push(...tests);
    this.skips.push(...skips);
    if (failedAtLeast > 0) this.failures.push(name);
  }

  /** Adds a program that passes or fails as a whole. */
  check(name, isGood) {
    say(`${isGood ? 'ok' : 'FAILED'}: ${name}`);
    this.add(name, {passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0}, isGood ? 0 : 1);
  }

  /** Runs a stage and records its time. If it cannot be set up, the error becomes a failure with its remedy. */
  async stage(name, steps) {
    const startMs = performance.now();
    try {
      await steps();
    } catch (error) {
      this.check(`${name}: ${error.message}`, false);
    }
    this.stages.push({name, seconds: (performance.now() - startMs) / 1000});
  }

  /** The last line of every run. */
  get lastLine() {
    const {passed, failed, skipped} = this.totals;
    return `${passed} passed, ${failed} failed, ${skipped} skipped`;
  }

  /** Prints stages, slowest tests, skips, failures, and the last line; sets the exit status. */
  finish() {
    say('\nTimes of the stages');
    for (const {name, seconds} of this.stages) say(`${inSeconds(seconds)}  ${name}`);
    const slowest = [...this.tests].sort((a, b) => b.seconds - a.seconds).slice(0, slowestCount);
    if (slowest.length > 0) say(`\nThe slowest ${slowest.length} tests`);
    for (const {name, seconds} of slowest) say(`${inSeconds(seconds)}  ${name}`);
    if (this.skips.length > 0) say('\nSkipped');
    for (const [reason, count] of countedReasons(this.skips)) say(`${String(count).padStart(6)}  ${reason}`);
    if (this.failures.length > 0) say(`\nFailed: ${this.failures.join('; ')}`);
    say(this.lastLine);
    process.exitCode = this.totals.failed > 0 ? 1 : 0;
  }
}

/** The reasons of skipped tests with the number of tests, the most frequent first. */
export function countedReasons(skips) {
  const counts = new Map();
  for (const {reason} of skips) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function inSeconds(seconds) {
  return `${seconds.toFixed(1).padStart(7)} s`;
}
