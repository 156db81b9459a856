/** The result of comparing two printed outputs. */
export type PrintedVerdict = 'equal' | 'different' | 'nothing';

/** A number, with its sign, point and exponent, or a word for one. */
const numberPattern = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b/g;
/** Text before or after a number that marks it as a time or speed, which differs from run to run. */
const unitOfTime =
  /^\s*(?:s|ms|us|µs|ns|sec|secs|seconds?|milliseconds?|minutes?|min|h|(?:it|its|iters?|iterations?|steps?|samples?|tok|tokens?|img|images?|batches|examples?|rows|items|ops?|[kMGT]?B|[kMGT]?FLOPS?)\s*(?:\/|per )\s*s(?:ec(?:ond)?)?)\b/i;
const wordOfTime =
  /(?:time|took|elapsed|duration|seconds|secs|per second|speed|throughput|latency|wall|rss|memory)\W{0,12}(?:of|is|was|in|per \w+)?\W*$/i;

/**
 * Returns whether two runs printed the same, line by line. Times and speeds are not compared, because they differ
 * between runs of the same commit.
 *
 * @param again the output of a second run of the base: numbers that differ from the first are ignored
 */
export function comparePrinted(base: string, changed: string, again: string | null): PrintedVerdict {
  const [first, other] = [partsOf(base), partsOf(changed)];
  const second = again === null ? first : partsOf(again);
  const isSteady = second.length === first.length;
  if (first.length !== other.length) return isSteady ? 'different' : 'nothing';
  let told = 0;
  for (const [at, part] of first.entries()) {
    const [counterpart, repeated] = [other[at], second[at]];
    const isVarying = !isSteady || repeated.text !== part.text || (part.isTime && counterpart.isTime);
    if (isVarying) continue;
    if (part.text !== counterpart.text) return 'different';
    if (part.text.trim() !== '') told++;
  }
  return told > 0 ? 'equal' : 'nothing';
}

interface Part {
  readonly text: string;
  readonly isTime: boolean;
}

/** Returns numbers, and the text between them, with white space reduced to one space. */
function partsOf(output: string): readonly Part[] {
  return output
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
    .flatMap(partsOfLine);
}

function partsOfLine(line: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of line.matchAll(numberPattern)) {
    const before = line.slice(end, match.index);
    end = match.index + match[0].length;
    const isTime = unitOfTime.test(line.slice(end, end + 40)) || wordOfTime.test(line.slice(0, match.index));
    // Columns of numbers are padded according to the numbers' length.
    parts.push({text: before.replace(/\s+/g, ' '), isTime: false}, {text: match[0], isTime});
  }
  return [...parts, {text: line.slice(end).replace(/\s+/g, ' '), isTime: false}];
}
