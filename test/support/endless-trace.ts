import {gzipSync} from 'node:zlib';

/** An event of a kind that is not shown, with a list of numbers, which takes longer to pass over than other texts. */
const event = `,{"ph": "D", "args": {"list": [${'0,'.repeat(1 << 15)}0]}}`;
const partBytes = 64 << 20;
const blanks = gzipSync(Buffer.alloc(partBytes, ' '));
const numbers = gzipSync(event.repeat(partBytes / event.length));
/** More than the 4 MB that are read at once, after which the reader says how far it is. */
const blankParts = 70;
const numberParts = 160;

/**
 * Returns a trace whose reading takes minutes: some events, and 18 MB of gzip that stand for 4.7 GB of blanks, then 10.7
 * GB of numbers. Reading 4 GB of those took 79 s. All is below the limit of unpacking (`gpuLens.maximumUnpackedGB`).
 */
export function endlessTrace(events: readonly object[]): Buffer {
  return Buffer.concat([
    gzipSync(JSON.stringify(events).replace(/\]$/, '')),
    ...Array.from({length: blankParts}, () => blanks),
    ...Array.from({length: numberParts}, () => numbers),
  ]);
}
