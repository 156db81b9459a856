import type {Trace} from './trace.js';

const unknown = 2;

/**
 * Returns a test of slices, by row, that tests their names. Names are few and slices many, so each name is tested once.
 */
export function namesThat(
  {slices, strings}: Pick<Trace, 'slices' | 'strings'>,
  test: (text: string, name: number) => boolean,
): (row: number) => boolean {
  const known = new Uint8Array(strings.length).fill(unknown);
  return row => {
    const name = slices.name[row];
    if (known[name] === unknown) known[name] = test(strings.get(name), name) ? 1 : 0;
    return known[name] === 1;
  };
}
