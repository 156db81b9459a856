import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import pixelmatch from 'pixelmatch';
import {PNG} from 'pngjs';
import {root} from '../../../scripts/lib/run.mjs';

/** The folder of reference pictures, and the folder for pictures of failed comparisons. */
const kept = join(root, 'test', 'e2e', 'pictures');
const out = join(root, 'test', 'e2e', 'out');

/** The fraction of its pixels in which a picture may differ from its reference. */
export const mostDifference = 0.01;

/**
 * Whether to replace the reference pictures, which must be checked before they are committed: GPU_LENS_KEEP_PICTURES=1.
 */
const isKeptAnew = process.env['GPU_LENS_KEEP_PICTURES'] === '1';

/** Flat areas compress best without filters, and without the strategy for filtered data. */
const smallest = {colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0} as const;

/**
 * Returns the fraction of pixels in which a picture differs from the reference of its name; 1 if the sizes differ. If
 * it is more than `mostDifference`, writes the picture and one of the differences to test/e2e/out.
 */
export function differenceFromKept(name: string, png: Buffer): number {
  const path = join(kept, `${name}.png`);
  if (isKeptAnew) {
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, PNG.sync.write(PNG.sync.read(png), smallest));
  }
  if (!existsSync(path)) throw new Error(`There is no ${path}: GPU_LENS_KEEP_PICTURES=1 writes it.`);
  const {difference, picture} = compare(PNG.sync.read(png), PNG.sync.read(readFileSync(path)));
  if (difference > mostDifference) {
    mkdirSync(out, {recursive: true});
    writeFileSync(join(out, `${name}.actual.png`), png);
    if (picture) writeFileSync(join(out, `${name}.difference.png`), PNG.sync.write(picture));
  }
  return difference;
}

/** Returns the fraction of pixels in which two pictures differ, and a picture of the differences. */
export function compare(one: PNG, other: PNG): {difference: number; picture: PNG | null} {
  const {width, height} = one;
  if (width !== other.width || height !== other.height) return {difference: 1, picture: null};
  const picture = new PNG({width, height});
  const pixels = pixelmatch(one.data, other.data, picture.data, width, height, {threshold: 0.1});
  return {difference: pixels / (width * height), picture};
}
