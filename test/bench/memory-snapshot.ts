// Generates a memory snapshot of about 1 GB in the layout of PyTorch's pickles, and measures how it is opened and
// replayed.
import {createWriteStream, rmSync, statSync} from 'node:fs';
import {once} from 'node:events';
import {join} from 'node:path';
import {memoryReport} from '../../src/core/memory-snapshot/memory-report.js';
import {readMemorySnapshot} from '../../src/importers/pickle/read-memory-snapshot.js';
import {peakResidentBytes} from './peak-memory.js';

const [, , folder = '.', asked = '1000', mode = 'both'] = process.argv;
const path = join(folder, 'memory-snapshot.pickle');
if (mode !== 'open') await write(path, Number(asked) * 1e6);
if (mode !== 'write') await open();

/** Opens the snapshot, and asks for the peak by line; prints one line of JSON. */
async function open(): Promise<void> {
  const start = performance.now();
  const snapshot = await readMemorySnapshot(path);
  const readMs = performance.now() - start;
  const readPeak = peakResidentBytes();
  const report = memoryReport(snapshot, {device: 0, at: 'peak', by: 'line'});
  const allMs = performance.now() - start;
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const figures = {
    fileMB: megabytes(statSync(path).size),
    events: report?.events,
    stacks: snapshot.stacks.length,
    readMs: Math.round(readMs),
    allMs: Math.round(allMs),
    readPeakMB: megabytes(readPeak),
    peakMB: megabytes(peakResidentBytes()),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  if (mode === 'both') rmSync(path);
}

/**
 * Writes events of allocations and frees until the file has this many bytes. Each allocation is freed 40 events later.
 */
async function write(target: string, bytes: number): Promise<void> {
  const stream = createWriteStream(target, {highWaterMark: 8 << 20});
  let memo = 0;
  let written = 0;
  let parts: Buffer[] = [];
  const put = (...codes: number[]) => parts.push(Buffer.from(codes));
  const text = (value: string) => {
    parts.push(Buffer.from([0x8c, value.length]), Buffer.from(value), Buffer.from([0x94]));
    return memo++;
  };
  const recall = (index: number) => {
    const code = Buffer.alloc(index < 256 ? 2 : 5);
    code[0] = index < 256 ? 0x68 : 0x6a;
    if (index < 256) code[1] = index;
    else code.writeUInt32LE(index, 1);
    parts.push(code);
  };
  const long = (value: number) => {
    const code = Buffer.from([0x8a, 7, 0, 0, 0, 0, 0, 0, 0]);
    code.writeUIntLE(value, 2, 6);
    parts.push(code);
  };
  const container = (code: number) => {
    put(code, 0x94, 0x28);
    return memo++;
  };
  put(0x80, 4);
  container(0x7d);
  // Texts and frames come first, in a list under a key that nobody reads; events recall them.
  text('made');
  container(0x5d);
  const keys = ['action', 'addr', 'size', 'stream', 'time_us', 'frames', 'compile_context', 'user_metadata'].map(text);
  const [action, addr, size, streamKey, time, frames, context, metadata] = keys as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const actions = ['alloc', 'free_requested', 'free_completed'].map(text);
  const [file, name, line] = ['filename', 'name', 'line'].map(text) as [number, number, number];
  const frameIds = Array.from({length: 2000}, (_, i) => {
    const id = container(0x7d);
    recall(file);
    text(i % 3 === 0 ? `/home/me/model/part${String(i % 40)}.py` : `/x/site-packages/torch/m${String(i % 90)}.py`);
    recall(name);
    text(`function${String(i)}`);
    recall(line);
    put(0x4d, i & 255, i >> 8, 0x75);
    return id;
  });
  put(0x65);
  text('segments');
  put(0x5d, 0x94);
  memo++;
  text('device_traces');
  container(0x5d);
  put(0x5d, 0x94);
  memo++;
  let stack = 0;
  for (let event = 0; written < bytes; event += 1000) {
    put(0x28);
    for (let i = event; i < event + 1000; i++) writeEvent(i);
    put(0x65);
    const buffer = Buffer.concat(parts);
    parts = [];
    written += buffer.length;
    if (!stream.write(buffer)) await once(stream, 'drain');
  }
  put(0x65, 0x75, 0x2e);
  stream.end(Buffer.concat(parts));
  await once(stream, 'finish');

  function writeEvent(i: number): void {
    const turn = i % 3;
    const allocation = turn === 0 ? i / 3 : (i - turn) / 3 - 40;
    container(0x7d);
    recall(action);
    recall(actions[turn] ?? 0);
    recall(addr);
    long(0x7f00_0000_0000 + 512 * (allocation + 40));
    recall(size);
    put(0x4a, 0, 2, 0, 0);
    recall(streamKey);
    put(0x4b, 0);
    recall(time);
    long(1_775_299 * 1e6 + i);
    recall(context);
    text('N/A');
    recall(metadata);
    recall(action);
    recall(frames);
    // A completed free has the stack of its request.
    if (turn === 2) recall(stack);
    else stack = writeStack(i);
    put(0x75);
  }

  /** Nine frames: the outer ones are few, the inner ones many. */
  function writeStack(i: number): number {
    const id = container(0x5d);
    for (let depth = 0; depth < 9; depth++)
      recall(frameIds[(i * 7 + depth * depth * 31) % ((2000 >> depth) >> 1)] ?? 0);
    put(0x65);
    return id;
  }
}
