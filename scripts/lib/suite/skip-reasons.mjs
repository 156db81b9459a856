// Why tests are skipped that name a condition and no reason: `describe.skipIf(!hasData)`.
import {readFileSync} from 'node:fs';

const reasons = new Map([
  ['!hasData', 'there is no folder of real profiles (GPU_LENS_DATA)'],
  ['!hasSeeds', 'there is no folder of kept texts (GPU_LENS_DATA)'],
  ['!hasNsys', 'nsys is not installed'],
  ['here.length === 0', 'there is no folder of real profiles (GPU_LENS_DATA)'],
  ["process.platform !== 'linux'", 'needs Linux'],
  ["process.platform === 'win32'", 'does not run on Windows'],
  ['torch === null', 'needs a Python with torch (GPU_LENS_PYTHON)'],
  ['library === null', 'needs the files of Python’s library'],
  ['torchPython === undefined', 'needs a Python with torch (GPU_LENS_PYTHON)'],
]);

/** The reasons for which a file skips tests, from the conditions in its text. */
export function skipReason(path) {
  const text = readFileSync(path, 'utf8');
  const conditions = new Set([...text.matchAll(/\.skipIf\((.+?)\)(?=\.each|\()/g)].map(([, condition]) => condition));
  // test/support/each-file.ts.
  if (/\b(describe|it)EachFile\(/.test(text)) conditions.add('!hasData');
  const said = [...conditions].map(condition => reasons.get(condition) ?? `where ${condition}`);
  return said.length > 0 ? [...new Set(said)].join(', or ') : 'no reason is given';
}
