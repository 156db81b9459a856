// Why tests are skipped that name a condition and no reason: `describe.skipIf(!hasData)`.
import {readFileSync} from 'node:fs';

const reasons = new Map([
  ['!hasData', 'there is no folder of real profiles (GPU_LENS_DATA)'],
  ['!hasSeeds', 'there is no folder of kept texts (GPU_LENS_DATA)'],
  ['!hasNsys', 'nsys is not installed'],
  ['!hasNsys2022', 'nsys 2022.4 is not installed'],
  ['!hasPython', 'needs Python (GPU_LENS_PYTHON)'],
  ['!hasTorch', 'needs a Python with torch (GPU_LENS_PYTHON)'],
  ['files.length === 0', 'there is no folder of real profiles (GPU_LENS_DATA)'],
  ['here.length === 0', 'there is no folder of real profiles (GPU_LENS_DATA)'],
  ['git === null', 'git is not installed'],
  ["!existsSync('/dev/full')", 'there is no /dev/full'],
  ["process.platform !== 'linux'", 'needs Linux'],
  ["process.platform === 'win32'", 'does not run on Windows'],
  ['torch === null', 'needs a Python with torch (GPU_LENS_PYTHON)'],
  ['library === null', 'needs the files of Python’s library'],
  ['torchPython === undefined', 'needs a Python with torch (GPU_LENS_PYTHON)'],
]);

/** The conditions on which a file skips tests, as its text has them: `!hasTorch || !hasData` is two. */
export function skipConditions(path) {
  const text = readFileSync(path, 'utf8');
  const conditions = [...text.matchAll(/\.skipIf\(([^]+?)\)(?=\.each|\()/g)].flatMap(([, all]) => all.split(' || '));
  // test/support/each-file.ts.
  if (/\b(describe|it)EachFile\(/.test(text)) conditions.push('!hasData');
  return [...new Set(conditions)];
}

/** Why a test with this condition is skipped; undefined where it is not among the conditions that are known. */
export const reasonOf = condition => reasons.get(condition);

/** The reasons for which a file skips tests, from the conditions in its text. */
export function skipReason(path) {
  const said = skipConditions(path).map(condition => reasonOf(condition) ?? `where ${condition}`);
  return said.length > 0 ? [...new Set(said)].join(', or ') : 'no reason is given';
}
