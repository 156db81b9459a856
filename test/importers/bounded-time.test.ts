import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {zstdCompressSync} from 'node:zlib';
import {expect, it} from 'vitest';
import {openTrace} from '../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const write = (name: string, bytes: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
/** A trace whose events stand at its beginning, in frames of so many bytes. */
function inFrames(bytesPerFrame: number, length: number): Buffer {
  const text = Buffer.from(
    kinetoText([kineto.range('step', 1000, 100), kineto.range('next', 1200, 100)]).padEnd(length),
  );
  const frames: Buffer[] = [];
  for (let at = 0; at < text.length; at += bytesPerFrame) {
    frames.push(zstdCompressSync(text.subarray(at, at + bytesPerFrame)));
  }
  return Buffer.concat(frames);
}

it('openTrace(zstd) gives up on frames of a byte each, with what came before', async () => {
  // The sink behind a million frames would be busy for minutes: those after the first 10,000 are never begun.
  const frame = zstdCompressSync(Buffer.from(' '));
  const rest = Buffer.concat(Array.from({length: 100_000}, () => frame));
  const path = write('tiny.json.zst', Buffer.concat([inFrames(1, 1000), rest]));
  const trace = await openTrace(path);
  expect(trace.slices.length).toBe(2);
  expect(trace.notes.find(({code}) => code === 'file/damaged')?.text).toBe(
    'The compressed file is damaged or cut off (it has too many parts of a few bytes each). GPU Lens shows what comes before.',
  );
});

it('openTrace(zstd) reads as many frames as there are where they are no smaller than writers make them', async () => {
  const {notes} = await openTrace(write('seekable.json.zst', inFrames(64 << 10, 20 << 20)));
  expect(notes.map(({code}) => code)).not.toContain('file/damaged');
});

it('openTrace(json) passes over events that are longer than any profiler writes', async () => {
  const long = kineto.range('x'.repeat(40 << 20), 2000, 1);
  const path = write('long.json', kinetoText([kineto.range('first', 1000, 1), long, kineto.range('last', 3000, 1)]));
  const {slices, strings, notes} = await openTrace(path);
  expect([...slices.name].map(name => strings.get(name))).toEqual(['first', 'last']);
  expect(notes.map(({code}) => code)).toContain('events/malformed');
});
