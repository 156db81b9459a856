/** How much is left of data: letters of a text, and entries of a list or members of an object. */
interface Measure {
  readonly letters: number;
  readonly entries: number;
}

/** What is tried, one after the other: texts tell most at their beginning, so they are cut first. */
const measures: readonly Measure[] = [
  ...[100, 60, 40, 24].map(letters => ({letters, entries: Infinity})),
  ...[48, 24, 12, 6, 3].map(entries => ({letters: 24, entries})),
];
const smallest: Measure = {letters: 24, entries: 1};

/**
 * Returns JSON's data with texts, lists and objects cut until what `write` makes of it takes no more than `mostBytes`, and
 * whether anything was cut: as little as will do. Of objects and lists the first members stay.
 */
export function fitted(
  data: unknown,
  mostBytes: number,
  write: (data: unknown) => string,
): {readonly data: unknown; readonly isCut: boolean} {
  const fits = (tried: unknown) =>
    leastLetters(tried, mostBytes) <= mostBytes && Buffer.byteLength(write(tried)) <= mostBytes;
  if (fits(data)) return {data, isCut: false};
  for (const measure of measures) {
    const part = cutTo(data, measure);
    if (fits(part)) return {data: part, isCut: true};
  }
  return {data: cutTo(data, smallest), isCut: true};
}

/** How many letters data takes as JSON at the least; whatever is above `most` where it is more: large data is not walked. */
function leastLetters(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let letters = 0;
  for (const key in value) {
    if (letters > most) break;
    const ofKey = Array.isArray(value) ? 0 : key.length;
    letters += 1 + ofKey + leastLetters((value as Record<string, unknown>)[key], most - letters);
  }
  return letters;
}

function cutTo(value: unknown, measure: Measure): unknown {
  if (typeof value === 'string') return cutText(value, measure);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, measure.entries).map(item => cutTo(item, measure));
  const entries = Object.entries(value).slice(0, measure.entries);
  return Object.fromEntries(entries.map(([key, of]) => [cutText(key, measure), cutTo(of, measure)]));
}

function cutText(text: string, {letters}: Measure): string {
  return text.length > letters ? `${text.slice(0, letters)}…` : text;
}
