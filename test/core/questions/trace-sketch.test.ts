import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {partOfKind, threadParts} from '../../../src/core/layout/lane-sections.js';
import {mostBlocks} from '../../../src/core/layout/visible-slices.js';
import {timelineSummary} from '../../../src/core/questions/tracks.js';
import {TraceSketch, type SketchPicture} from '../../../src/core/questions/trace-sketch.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import {TraceBuilder, type DraftTrace} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {ownProfiles} from '../../support/own-profiles.js';
import {seededRandom} from '../../support/random.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-sketch-'));
afterAll(() => {
  rmSync(folder, {recursive: true});
});

interface Block {
  readonly track: number;
  readonly lane: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly name: string;
  readonly count: number;
}

/** Blocks with times from the picture's origin. */
function blocksOf({timeline: {slices}, widthPx}: SketchPicture): Block[] {
  const {blocks, fromNs, toNs, names} = slices;
  const nsPerPx = (toNs - fromNs) / widthPx;
  return Array.from({length: blocks.length}, (_, row) => {
    const of = (column: ArrayLike<number>) => column[row] ?? NaN;
    const name = of(blocks.name);
    return {
      track: of(blocks.track),
      lane: of(blocks.lane),
      fromNs: fromNs + of(blocks.leftPx) * nsPerPx,
      toNs: fromNs + (of(blocks.leftPx) + of(blocks.widthPx)) * nsPerPx,
      name: names[name < 0 ? ~name : name] ?? '',
      count: of(blocks.count),
    };
  });
}

function builderWithThread(): {
  builder: TraceBuilder;
  add: (startNs: number, durationNs: number, name?: string) => void;
} {
  const builder = new TraceBuilder();
  const track = builder.track({
    ...{kind: 'thread', process: builder.process('7'), device: -1, thread: 7},
    ...{id: '7', name: 'thread 7', order: 0},
  });
  const add = (startNs: number, durationNs: number, name = 'op') => {
    const text = builder.strings.intern(name);
    builder.addSlice({track, startNs, durationNs, name: text, kind: 'cpu_op', source: 0});
  };
  return {builder, add};
}

function pictureOf(builder: TraceBuilder): SketchPicture {
  const picture = new TraceSketch(() => builder.draft).picture();
  if (!picture) throw new Error('nothing is drawn');
  return picture;
}

describe('a sketch of a trace that is being read', () => {
  it('is nothing before the first slice', () => {
    expect(new TraceSketch(() => new TraceBuilder().draft).picture()).toBeNull();
  });

  it('draws a long slice as one block with its name, and short ones as blocks of several', () => {
    const {builder, add} = builderWithThread();
    add(1_000_000, 4_000_000, 'forward');
    add(8_000_000, 100, 'short');
    add(8_000_200, 300, 'longer');
    const picture = pictureOf(builder);
    expect([picture.originNs, picture.spanNs]).toEqual([1_000_000, 7_000_500]);
    const drawn = blocksOf(picture);
    expect(drawn.map(({name, count}) => [name, count])).toEqual([
      ['forward', 1],
      ['longer', 2],
    ]);
    // To the width of a bin, 16.4 µs.
    const [long = {fromNs: NaN, toNs: NaN}] = drawn;
    expect(Math.abs(long.fromNs)).toBeLessThanOrEqual(16_384);
    expect(Math.abs(long.toNs - 4_000_000)).toBeLessThanOrEqual(16_384);
  });

  it('takes the start of a slice that comes late in the file', () => {
    const {builder, add} = builderWithThread();
    add(5_000_000, 1000);
    const sketch = new TraceSketch(() => builder.draft);
    expect(sketch.picture()).toMatchObject({originNs: 5_000_000, spanNs: 1000});
    add(-3_000_000, 1000, 'before');
    const picture = sketch.picture();
    expect(picture).toMatchObject({originNs: -3_000_000, spanNs: 8_001_000});
    expect(picture && blocksOf(picture).map(({name}) => name)).toEqual(['before', 'op']);
  });

  it('is the same however often it was drawn on the way', () => {
    const random = seededRandom(3);
    const {builder, add} = builderWithThread();
    const often = new TraceSketch(() => builder.draft);
    for (let slice = 0; slice < 3000; slice++) {
      const scale = 10 ** (3 + (slice / 3000) * 7);
      // No two are equally long: of such the first that was read gives its name.
      add(Math.floor((random() - 0.3) * scale), Math.floor(random() * 2000) * 4000 + slice, `op ${String(slice)}`);
      if (random() < 0.05) often.picture();
    }
    // What a slice covers is told in bins as wide as they were, so that coverage alone may differ.
    const drawn = (picture: SketchPicture | null) =>
      picture && blocksOf(picture).map(({name, count, ...at}) => [name, count > 1, at]);
    const names = (picture: SketchPicture | null) => new Set(drawn(picture)?.map(([name]) => name));
    const once = new TraceSketch(() => builder.draft).picture();
    expect(names(often.picture())).toEqual(names(once));
    expect(often.picture()).toMatchObject({originNs: once?.originNs, spanNs: once?.spanNs});
  });

  it('keeps within the blocks of an answer, however many threads there are', () => {
    const builder = new TraceBuilder();
    const name = builder.strings.intern('op');
    for (let thread = 0; thread < 100; thread++) {
      const track = builder.track({
        ...{kind: 'thread', process: -1, device: -1, id: String(thread)},
        ...{name: `thread ${String(thread)}`, order: 0},
      });
      for (let at = 0; at < 600; at++) {
        builder.addSlice({track, startNs: at * 2000, durationNs: 900, name, kind: 'cpu_op', source: 0});
      }
    }
    const {timeline, tracks} = pictureOf(builder);
    expect(tracks).toHaveLength(100);
    expect(timeline.slices.blocks.length).toBeGreaterThan(1000);
    expect(timeline.slices.blocks.length).toBeLessThanOrEqual(mostBlocks);
  });

  it('spreads no more slices over all that they cover than a recording may have', () => {
    const builder = new TraceBuilder();
    const track = builder.track({kind: 'stream', process: -1, device: 0, id: '7', name: 'Stream 7', order: 0});
    const name = builder.strings.intern('kernel');
    for (let slice = 0; slice < 300_000; slice++) {
      builder.addSliceRow(track, slice, 1e9 + slice, name, kindIndex.kernel, 0);
    }
    const picture = pictureOf(builder);
    expect(blocksOf(picture).length).toBeLessThanOrEqual(mostBlocks);
    expect(picture.tracks[0]?.sliceCount).toBe(300_000);
  });
});

const {kineto, nsys} = ownProfiles(folder);

describe.each([...kineto, ...nsys])('the sketch of $name', ({path}) => {
  it('has the rows of its timeline, in their order, and a block wherever a slice is', async () => {
    const trace = await openTrace(path);
    const picture = new TraceSketch(() => draftOf(trace)).picture();
    if (!picture) throw new Error('nothing is drawn');
    expect(picture.spanNs).toBeLessThanOrEqual(trace.spanNs);
    const own = timelineSummary(trace).tracks.filter(
      ({track, sliceCount}) => track < trace.tracks.length && sliceCount > 0,
    );
    const rowsOf = (tracks: SketchPicture['tracks']) =>
      tracks.map(({track, group, device, sliceCount, sections}) => ({
        ...{track, group, device, sliceCount},
        sections: sections.map(({kind, sliceCount: count}) => [kind, count]),
      }));
    expect(rowsOf(picture.tracks)).toEqual(rowsOf(own));

    const blocks = blocksOf(picture);
    const {slices} = trace;
    for (let slice = 0; slice < slices.length; slice++) {
      const of = (column: ArrayLike<number>) => column[slice] ?? NaN;
      const part = threadParts[partOfKind[of(slices.kind)] ?? 0];
      const sections = picture.tracks.find(row => row.track === of(slices.track))?.sections ?? [];
      const lane = Math.max(
        0,
        sections.findIndex(({kind}) => kind === part),
      );
      const own = blocks.filter(block => block.track === of(slices.track) && block.lane === lane);
      const startNs = of(slices.startNs) - picture.originNs;
      const isDrawn = [startNs, startNs + of(slices.durationNs) / 2].every(ns =>
        own.some(({fromNs, toNs}) => fromNs <= ns && toNs >= ns),
      );
      if (!isDrawn) throw new Error(`slice ${String(slice)} is not drawn`);
    }
  });
});

/** A trace as if it were read and not yet put in order. */
function draftOf({slices, tracks, processes, devices, meta, strings}: Trace): DraftTrace {
  const {track, startNs, durationNs, name, kind, length} = slices;
  return {
    slices: {
      track: Int32Array.from(track),
      startNs: Float64Array.from(startNs),
      durationNs: Float64Array.from(durationNs),
      name: Int32Array.from(name),
      kind,
      length,
    },
    tracks: tracks.map((each, order) => ({...each, id: '', order})),
    ...{processes, devices, meta, strings},
  };
}
