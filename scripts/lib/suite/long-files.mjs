// The files of the long suite: those named so, and those that ask for it (`longTests`, `isLongSuite`).
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../run.mjs';

/** Unit tests that compare the times of programs: another test beside them would take their cores. */
export const aloneFiles = ['test/agents/cases.long.test.ts', 'test/cli/straggler.long.test.ts'];

/** Returns the files among `patterns` (from the project's root) that the long suite runs. */
export function longFiles(...patterns) {
  const text = path => readFileSync(join(root, path), 'utf8');
  return globSync(patterns, {cwd: root})
    .filter(path => /\.long\.(test|e2e)\.ts$/.test(path) || /\b(longTests|isLongSuite)\b/.test(text(path)))
    .map(path => path.replaceAll('\\', '/'));
}
