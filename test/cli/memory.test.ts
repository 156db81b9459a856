import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {block, event, frame, segment, smallSnapshot, snapshotData} from '../support/memory-snapshots.js';
import {pickleOf, type PlainData} from '../support/pickle-writer.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

function file(name: string, data: PlainData): string {
  const path = join(folder, name);
  writeFileSync(path, pickleOf(data));
  return path;
}

const small = file('small.pickle', smallSnapshot());

describe('a snapshot in other commands', () => {
  it('is summed up by info, each device in the keys of the contract and in figures of its own', () => {
    const free = {address: 4608, size: 2000, requested_size: 0, state: 'inactive', frames: []};
    const pieces = [block(4096, 400), free];
    const two = file('two.pickle', snapshotData([segment(4096, 2512, pieces, 1)], [[], [event('oom', 0, 9)]]));
    expect(json('info', two)).toMatchObject({
      format: 'memory-snapshot',
      devices: [{id: 1}],
      counts: {kernels: 0},
      gpu: {workNs: 0},
      memory: [
        {
          device: 1,
          events: 1,
          outOfMemory: 1,
          end: {allocatedBytes: 400, reservedBytes: 2512},
          fragmentation: {
            segments: 1,
            activeBytes: 512,
            freeBytes: 2000,
            largestFreeBytes: 2000,
            inactiveSplitBytes: 2000,
          },
        },
      ],
    });
    expect(run('info', two).stdout).toContain(
      'GPU 1      1 event, 1 segment, out of memory 1 time\n  Peak     400 B allocated',
    );
    expect(run('info', two, '--step', '1').status).toBe(2);
  });

  it('is queried: allocations add up to the peak and the end, segments to what is reserved', () => {
    const query = (sql: string) => json('query', small, sql);
    expect(
      query('SELECT sum(bytes * is_live_at_peak) AS peak, sum(bytes * is_live_at_end) AS end FROM allocations'),
    ).toEqual([{peak: 830, end: 800}]);
    expect(query('SELECT sum(bytes) AS reserved, count(*) AS segments FROM segments')).toEqual([
      {reserved: 12288, segments: 2},
    ]);
    expect(query('SELECT file, line, bytes, allocated_event, freed_event FROM allocations WHERE line = 20')).toEqual([
      {file: '/home/me/train.py', line: 20, bytes: 700, allocated_event: 5, freed_event: null},
    ]);
    expect(query('SELECT format FROM profile')).toEqual([{format: 'memory-snapshot'}]);
  });
});

describe('gpu-lens memory', () => {
  it('prints the figures and rows as JSON, the keys of the contract first', () => {
    const output = json('memory', small) as Record<string, unknown>;
    expect(Object.keys(output)).toEqual(['events', 'peak', 'end', 'rows', 'notes', 'device', 'at']);
    expect(output).toMatchObject({
      events: 9,
      peak: {allocatedBytes: 830, reservedBytes: 4096, event: 5},
      end: {allocatedBytes: 800, reservedBytes: 12288},
      rows: [
        {file: '/home/me/train.py', line: 20, function: 'step', bytes: 700, blocks: 1},
        {file: null, line: null, function: null, bytes: 100, blocks: 1},
        {file: '/home/me/train.py', line: 10, function: 'step', bytes: 30, blocks: 1},
      ],
      notes: [{code: 'memory/no-frames'}],
    });
  });

  it('prints a table for people, with notes on standard error', () => {
    expect(run('memory', small)).toEqual({
      status: 0,
      stdout: `GPU 0, 9 events
Peak   830 B allocated, 4.00 KiB reserved, after event 5
End    800 B allocated, 12.0 KiB reserved

Bytes  Blocks  File                    Line  Function
700 B       1  /home/me/train.py         20  step
100 B       1  (no line of your code)
 30 B       1  /home/me/train.py         10  step
`,
      stderr:
        'Note: 1 live block (100 B) has no stack. It was allocated before the history began, or while stacks were not recorded.\n',
    });
  });

  it('shows the state after an event, by stack or by segment, and in the other formats', () => {
    expect(json('memory', small, '--at', '0')).toMatchObject({
      at: {allocatedBytes: 150, event: 0},
      rows: [{blocks: 2}],
    });
    expect(json('memory', small, '--at', 'peak', '--by', 'stack')).toMatchObject({
      rows: [{stack: [{}, {}, {}]}, {}, {}],
    });
    expect(run('memory', small, '--by', 'segment', '--format', 'csv').stdout).toBe(
      'bytes,blocks,file,line,function,address,segmentBytes\n700,1,,,,8192,8192\n100,1,,,,4096,4096\n30,1,,,,,\n',
    );
    expect(run('memory', small, '--format', 'markdown').stdout).toContain(
      '| 700 B | 1 | /home/me/train.py | 20 | step |',
    );
  });

  it('puts another snapshot beside it, row by row', () => {
    const more = segment(4096, 4096, [block(4096, 400)]);
    const other = file('other.pickle', snapshotData([more], [[event('snapshot', 0, 0)]]));
    const {rows, other: summary} = json('memory', small, '--diff', other) as {rows: object[]; other: object};
    expect(rows).toMatchObject([
      {line: 20, bytes: 700, otherBytes: 0, deltaBytes: -700, deltaBlocks: -1},
      {line: null, bytes: 100, otherBytes: 400, deltaBytes: 300, deltaBlocks: 0},
      {line: 10, bytes: 30, otherBytes: 0, deltaBytes: -30, deltaBlocks: -1},
    ]);
    expect(summary).toMatchObject({events: 1, peak: {allocatedBytes: 400, event: null}});
    expect(run('memory', small, '--diff', other).stdout).toContain('Other: End    400 B allocated');
  });

  it('takes the first device with a history, and another with --device', () => {
    const blocks = (device: number) => segment(4096, 4096, [block(4096, 10 + device)], device);
    const two = file('two.pickle', snapshotData([blocks(0), blocks(1)], [[], [event('snapshot', 0, 0)]]));
    expect(json('memory', two)).toMatchObject({device: 1, end: {allocatedBytes: 11}});
    expect(json('memory', two, '--device', '0')).toMatchObject({device: 0, events: 0, end: {allocatedBytes: 10}});
  });

  it('writes names of a snapshot without control characters', () => {
    const stack = [frame('/home/me/\u001b[2Jtrain.py', 3, '=cmd()')];
    const data = snapshotData([segment(4096, 4096, [block(4096, 5, stack)])], [[event('snapshot', 0, 0)]]);
    const hostile = file('hostile.pickle', data);
    for (const format of ['table', 'csv', 'markdown', 'json']) {
      expect(run('memory', hostile, '--format', format).stdout).not.toContain('\u001b');
    }
    expect(run('memory', hostile, '--format', 'csv').stdout).not.toMatch(/(^|,)=cmd/m);
  });

  it('sets the estimate of a model beside what was measured, and says which is which', () => {
    const recorded = 'test/fixtures/transformer-memory/train.pt.trace.json.gz';
    const model = '--embedding 32 --hidden 128 --heads 4 --depth 1 --length 16 --batch 2 --dropout no'.split(' ');
    const setup = ['--vocabulary', '50', '--precision', 'fp32'];
    const {estimate} = json('memory', recorded, ...model, ...setup) as {estimate: {weights: number; rows: object[]}};
    expect(estimate.weights).toBe(15_872);
    expect(estimate.rows).toContainEqual({
      ...{part: 'parameters', estimatedBytes: 63_488, measuredBytes: 63_488, unexplainedBytes: 0},
    });
    const text = run('memory', recorded, ...model, ...setup, '--optimizer', 'sgd').stdout;
    expect(text).toMatch(/Estimated +Measured +Unexplained +Part/);
    expect(text).toMatch(/ 0 B +124 KiB +124 KiB +optimizer state/);
    expect(json('memory', recorded)).not.toHaveProperty('estimate');
  });

  it.each([
    [['memory'], 2, /^gpu-lens: memory needs one snapshot\./],
    [['memory', small, '--at', 'end'], 2, /^gpu-lens: --at takes a whole number from 0 or peak; not "end"\./],
    [['memory', small, '--at', '9'], 2, /^gpu-lens: small\.pickle has no event 9: device 0 has events 0 to 8\./],
    [['memory', small, '--by', 'module'], 2, /^gpu-lens: --by takes line, stack, segment; not "module"\./],
    [['memory', small, '--device', '4'], 2, /^gpu-lens: small\.pickle has no device 4; it has 0\./],
    [['memory', small, '--optimizer', 'adam'], 2, /^gpu-lens: A model needs a preset, or its length, .*\.\n$/],
    [['memory', small, '--model', 'bert-small', '--vocabulary', '-1'], 2, /^gpu-lens: .*vocabulary.*\n$/],
    [['memory', join(folder, 'none.pickle')], 1, /^gpu-lens: none\.pickle does not exist\.\n$/],
    [
      ['memory', file('else.pickle', {a: 1})],
      1,
      /^gpu-lens: else\.pickle is a pickle file, but not a memory snapshot\. .*\.\n$/,
    ],
    [['memory', file('empty.pickle', snapshotData([], []))], 1, /^gpu-lens: empty\.pickle holds no memory.*\.\n$/],
    [
      ['memory', small, '--memory-limit', '0.0001'],
      1,
      /^gpu-lens: small\.pickle: The snapshot needs more than .*\.\n$/,
    ],
    [
      ['ranges', small],
      1,
      /^gpu-lens: small\.pickle is a pickle file\. If it is a memory snapshot .*, gpu-lens memory shows .*\.\n$/,
    ],
  ])('%j ends with %i and one sentence', (args, status, sentence) => {
    const ended = run(...args);
    expect(ended).toMatchObject({status, stdout: ''});
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });
});
