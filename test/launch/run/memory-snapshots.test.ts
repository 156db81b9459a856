import {describe, expect, it} from 'vitest';
import {snapshotsNote, snapshotsOf} from '../../../src/launch/run/memory-snapshots.js';
import {RunRecord} from '../../../src/launch/run/run-outcome.js';
import {parseRunnerEvent} from '../../../src/launch/run/runner-events.js';

function recordOf(...events: readonly object[]): RunRecord {
  const record = new RunRecord();
  for (const event of [{event: 'armed', torch: '2.13.0'}, ...events]) {
    const parsed = parseRunnerEvent(JSON.stringify({v: 1, ...event}));
    if (parsed) record.add(parsed);
  }
  return record;
}

describe('memory snapshots of a run', () => {
  const [complete, full] = [
    {event: 'snapshot', path: '/runs/train.rank0.memory.pickle', why: 'complete', rank: 0},
    {event: 'snapshot', path: '/runs/train.rank3.memory.pickle', why: 'out-of-memory', rank: 3},
  ];

  it('snapshotsOf(outcome) puts a lack of memory first', () => {
    expect(snapshotsOf(recordOf(complete, full))).toEqual([
      {path: '/runs/train.rank3.memory.pickle', rank: 3, isOutOfMemory: true},
      {path: '/runs/train.rank0.memory.pickle', rank: 0, isOutOfMemory: false},
    ]);
  });

  it('snapshotsNote(outcome, wanted) says who lacked memory, and why there is no snapshot', () => {
    expect(snapshotsNote(recordOf(complete, full), true)).toBe(
      'The GPU of rank 3 ran out of memory: the snapshot shows the lines that held it then.',
    );
    expect(snapshotsNote(recordOf(complete), true)).toBeNull();
    expect(snapshotsNote(recordOf(), false)).toBeNull();
    expect(snapshotsNote(recordOf(), true)).toContain('the script used no GPU');
  });

  it('a message without a path is passed over', () => {
    expect(snapshotsOf(recordOf({event: 'snapshot', why: 'complete'}))).toEqual([]);
  });
});
