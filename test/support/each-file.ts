import {describe, it} from 'vitest';
import {dataFolder, hasData, noData} from './real-data.js';
import {skipTest} from './skip-test.js';

/** A profile to test with. */
export interface TestedFile {
  readonly name: string;
  readonly path: string;
}

/** Represents the real profiles if there are none. */
const absent: TestedFile = {name: 'a real profile', path: ''};

/**
 * `it.each` over files, some or all of which are real profiles. If these are absent, one further test is skipped with
 * the reason: `it.each([])` would leave no trace.
 */
export function itEachFile<File extends TestedFile>(files: readonly File[]) {
  return (title: string, test: (file: File) => void | Promise<void>, timeoutMs?: number): void => {
    it.each(files)(title, file => test(file), timeoutMs);
    if (isLacking(files)) it(titleOf(title), context => skipTest(context, reason()));
  };
}

/**
 * `describe.each` likewise: the tests inside exist once more, all skipped, and the reason is printed. They must not
 * read the file before they run.
 */
export function describeEachFile(files: readonly TestedFile[]) {
  return (title: string, tests: (file: TestedFile) => void): void => {
    describe.each(files)(title, tests);
    if (!isLacking(files)) return;
    console.warn(`skipped: ${titleOf(title)}: ${reason()}`);
    // The tests cannot skip themselves with the reason, because their hooks would run before.
    describe.skip(titleOf(title), () => tests(absent));
  };
}

function isLacking(files: readonly TestedFile[]): boolean {
  return !hasData || files.length === 0;
}

/** Why there is none: the folder may exist without the file. */
function reason(): string {
  return hasData ? `${dataFolder} has no such profile.` : noData;
}

function titleOf(title: string): string {
  return title.replaceAll('$name', absent.name);
}
