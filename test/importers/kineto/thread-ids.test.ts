import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

const folder = temporaryFolder();

/** Numbers in some events, texts in others: files of 2021 do so. */
function eventsOf(slices: (tid: number) => number | string, points: (tid: number) => number | string): string {
  const slice = (cat: string, name: string, tid: number, ts: number, args = {}) => {
    return {ph: 'X', cat, name, pid: 25, tid: slices(tid), ts, dur: 50, args};
  };
  const flow = {cat: 'fwdbwd', name: 'fwdbwd', id: 1, pid: 25};
  return kinetoText([
    slice('user_annotation', 'step', 25, 0),
    slice('cpu_op', 'aten::mm', 25, 10, {'External id': 1, 'Sequence number': 3}),
    slice('cpu_op', 'MmBackward0', 26, 600, {'External id': 2, 'Sequence number': 3, 'Fwd thread id': 1}),
    {...flow, ph: 's', tid: points(25), ts: 10},
    {...flow, ph: 'f', tid: points(26), ts: 600, bp: 'e'},
    {
      ph: 'i',
      name: '[memory]',
      pid: 25,
      tid: points(25),
      ts: 20,
      args: {'Device Type': 1, 'Device Id': 0, Bytes: 8, 'Total Allocated': 8},
    },
    {ph: 'M', name: 'thread_name', pid: 25, tid: points(26), ts: 0, args: {name: 'backward'}},
  ]);
}

describe('openTrace(json) knows a thread by its id, which is a number in some events and a text in others', () => {
  it.each([
    ['numbers', Number, Number],
    ['texts in slices', String, Number],
    ['texts in all others', Number, String],
  ])('%s', async (_what, ofSlices, ofPoints) => {
    const path = join(folder, 'ids.json');
    writeFileSync(path, eventsOf(ofSlices, ofPoints));
    const {tracks, slices, instants, forwardBackward} = await openTrace(path);
    expect(tracks.map(({name, thread}) => [name, thread])).toEqual([
      ['thread 25 (main)', 25],
      ['backward', 26],
    ]);
    expect([...instants.track]).toEqual([0]);
    expect(Array.from(forwardBackward, slice => slices.track[slice])).toEqual([0, 1]);
  });

  it.each([
    [25, '25', ['python']],
    ['25', 25, ['python']],
    [0, '0', []],
    ['0', 0, []],
  ])('and a process, %j here and %j there', async (ofSlice, ofOthers, names) => {
    const path = join(folder, 'processes.json');
    const slice = (pid: number | string, ts: number) => ({ph: 'X', cat: 'cpu_op', name: 'a', pid, tid: 7, ts, dur: 5});
    const title = {ph: 'M', name: 'process_name', pid: ofOthers, tid: 0, ts: 0, args: {name: 'python'}};
    for (const slices of [[slice(ofSlice, 0)], [slice(ofSlice, 0), slice(ofOthers, 10)]]) {
      writeFileSync(path, kinetoText([...slices, title]));
      const {tracks, processes} = await openTrace(path);
      expect(tracks.map(({thread}) => thread)).toEqual([7]);
      expect(processes.map(({name}) => name)).toEqual(names);
    }
  });

  itEachFile(dataFiles('kineto', '.json.gz'))('and $name has one track for each', async ({path}) => {
    const {tracks, instants} = await openTrace(path);
    const threads = tracks.filter(({kind}) => kind === 'thread');
    const ids = threads.map(({process, thread, name}) => `${String(process)} ${thread < 0 ? name : String(thread)}`);
    expect(new Set(ids).size).toBe(threads.length);
    const isAlone = (track: number) => tracks[track]?.firstSlice === tracks[track]?.endSlice;
    expect([...instants.track].filter(track => track >= 0 && isAlone(track))).toEqual([]);
  });
});
