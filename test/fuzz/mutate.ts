/** Returns a number from 0 up to a limit (exclusive). */
export type Below = (limit: number) => number;

/** Pieces that are difficult for JSON, numbers and readers of traces. */
const pieces = [
  '"',
  '\\',
  '\\u12',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '-1',
  '0',
  '1e999',
  '-0.0000001',
  '9007199254740993',
  '18446744073709551615',
  'NaN',
  'null',
  'true',
  '\n',
  '\u0000',
  '\ud800',
  '{"a":['.repeat(50),
  '"ph": "B"',
  '"ph": "E"',
  '"ph": "M"',
  '"ts": 0',
  '"dur": -5',
  '"tid": {}',
].map(text => Buffer.from(text));

/** Numbers that may be mistaken for an index, or that do not fit where ids, counts and times are stored. */
export const awkwardNumbers = [
  '-1',
  '-2',
  '-10',
  '0.5',
  '1e3',
  '1e300',
  '127',
  '256',
  '65536',
  '2147483648',
  '4294967296',
  '1099511627786',
  '9007199254740993',
  '-999999999999999',
  '-9223372036854775808',
  '18446744073709551615',
];

/**
 * Returns a copy of `bytes` with a few changes: flipped, removed, repeated, swapped or replaced by something awkward.
 */
export function mutate(bytes: Buffer, below: Below): Buffer {
  let result: Buffer = Buffer.from(bytes);
  for (let changes = below(5); changes >= 0; changes--) result = change(result, below);
  return result;
}

/**
 * Returns a copy of `bytes` of the same length, in which bytes or whole pages have changed: a database of another
 * length is refused.
 */
export function mutateInPlace(bytes: Buffer, below: Below): Buffer {
  const result = Buffer.from(bytes);
  for (let changes = below(5); changes >= 0; changes--) {
    const unit = below(4) === 0 ? 512 : 1;
    const [from, to] = [below(bytes.length / unit) * unit, below(bytes.length / unit) * unit];
    if (below(2) === 0) result[to] = [0, 1, 5, 13, 127, 128, 255, below(256)][below(8)] ?? 0;
    else result.copy(result, to, from, from + (unit === 1 ? 1 + below(12) : unit));
  }
  return result;
}

function change(bytes: Buffer, below: Below): Buffer {
  const at = below(bytes.length + 1);
  const length = below(below(4) === 0 ? 2000 : 20);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(Math.min(bytes.length, at + length));
  switch (below(8)) {
    case 0:
      return Buffer.concat([before, pieces[below(pieces.length)] ?? before, bytes.subarray(at)]);
    case 1:
      return Buffer.concat([before, pieces[below(pieces.length)] ?? before, after]);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 4:
      return before;
    case 5:
      return Buffer.concat([before, Buffer.from([below(256)]), bytes.subarray(at + 1)]);
    case 6:
      return withNumber(bytes, at, below);
    default: {
      const from = below(bytes.length + 1);
      return Buffer.concat([before, bytes.subarray(from, from + length), after]);
    }
  }
}

/** Returns a copy of `bytes` in which the first number at or after `at` is an awkward one. */
function withNumber(bytes: Buffer, at: number, below: Below): Buffer {
  const number = awkwardNumbers[below(awkwardNumbers.length)] ?? '';
  const text = bytes.toString('latin1');
  for (const {index, 0: old} of text.matchAll(/-?\d+(?:\.\d+)?/g)) {
    if (index + old.length <= at) continue;
    return Buffer.concat([bytes.subarray(0, index), Buffer.from(number), bytes.subarray(index + old.length)]);
  }
  return bytes;
}
