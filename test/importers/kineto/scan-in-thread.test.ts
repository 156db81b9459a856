import {once} from 'node:events';
import {appendFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Worker} from 'node:worker_threads';
import {gzipSync} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import type {ChromeTraceSink} from '../../../src/importers/kineto/chrome-trace-sink.js';
import {KinetoTraceBuilder} from '../../../src/importers/kineto/kineto-trace-builder.js';
import {readChromeTrace} from '../../../src/importers/kineto/read-chrome-trace.js';
import {scanInThread} from '../../../src/importers/kineto/scan-in-thread.js';
import type {FileHead} from '../../../src/importers/reading/importer.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {kineto} from '../../support/kineto-events.js';
import {project, temporaryFolder} from '../../support/project.js';
import {chineseTexts} from '../../support/translations.js';

/** The build makes it; `npm test` builds first. */
const program = join(project, 'dist', 'scan.cjs');
const folder = temporaryFolder();
const plain = join(folder, 'large.json');
const packed = join(folder, 'large.json.gz');
const eventCount = 120_000;

beforeAll(() => {
  const memory = {ph: 'i', cat: 'cpu_instant_event', name: '[memory]', pid: 1, tid: 1, ts: 1, args: {Bytes: 4}};
  const lines = Array.from({length: eventCount}, (_, i) => {
    if (i % 1000 === 7) return JSON.stringify({...memory, ts: i});
    if (i % 3 === 0) return JSON.stringify(kineto.kernel(i, i + 0.5, 2));
    return JSON.stringify(kineto.op(`aten::op_${String(i % 5000)}`, i, 1.25, {'Input Dims': [[i, 2], []]}));
  });
  const text = `{"schemaVersion": 1, "traceEvents": [\n${lines.join(',\n')}\n], "distributedInfo": {"rank": 3}}`;
  writeFileSync(plain, text);
  writeFileSync(packed, gzipSync(text));
});

function headOf(path: string): FileHead {
  const compression = path.endsWith('.gz') ? 'gzip' : 'none';
  return {path, bytes: statSync(path).size, compression, head: Buffer.alloc(0)};
}

async function traceOf(read: (sink: ChromeTraceSink) => ReturnType<typeof readChromeTrace>): Promise<Trace> {
  const builder = new KinetoTraceBuilder();
  const {outcome, loss} = await read(builder);
  return builder.finish(outcome, loss);
}

describe('scanInThread(program, file, sink, options)', () => {
  it.each([plain, packed])('gives the sink what readChromeTrace gives it: %s', async path => {
    const file = headOf(path);
    const progress: number[] = [];
    const threaded = await traceOf(sink =>
      scanInThread(program, file, sink, {onProgress: ({bytes}) => progress.push(bytes)}),
    );
    const here = await traceOf(sink => readChromeTrace(file, sink, {}));
    expect(threaded.slices.length).toBe(eventCount - eventCount / 1000);
    expect(threaded).toEqual(here);
    expect(threaded.instants.length).toBe(eventCount / 1000);
    expect(threaded.meta.rank).toBe(3);
    expect(progress.at(-1)).toBe(file.bytes);
  });

  it('leaves no thread behind', async () => {
    const begun = once(process, 'worker') as Promise<[Worker]>;
    await traceOf(sink => scanInThread(program, headOf(packed), sink, {}));
    const [thread] = await begun;
    // It ends by itself, and may have done so by now.
    if (thread.threadId !== -1) await once(thread, 'exit');
    expect(thread.threadId).toBe(-1);
  });

  it('is cancelled at once, and ends its thread', async () => {
    const stop = new AbortController();
    const cancelled = traceOf(sink =>
      scanInThread(program, headOf(plain), sink, {signal: stop.signal, onProgress: () => stop.abort()}),
    );
    await expect(cancelled).rejects.toMatchObject({code: 'import/cancelled'});
    await expect(traceOf(sink => scanInThread(program, headOf(plain), sink, {signal: stop.signal}))).rejects.toThrow(
      'Opening large.json was cancelled.',
    );
  });

  it('passes on what went wrong there, and in the sink', async () => {
    const missing = {...headOf(plain), path: join(folder, 'gone.json')};
    await expect(traceOf(sink => scanInThread(program, missing, sink, {}))).rejects.toMatchObject({
      code: 'file/missing',
      message: 'gone.json does not exist.',
    });
    setWords(chineseTexts);
    await expect(traceOf(sink => scanInThread(program, missing, sink, {}))).rejects.toThrow('gone.json 不存在。');
    setWords(undefined);
    const failing: ChromeTraceSink = {
      text: () => 0,
      metadata: () => 0,
      events: () => {
        throw new Error('no more');
      },
    };
    await expect(scanInThread(program, headOf(plain), failing, {})).rejects.toThrow('no more');
  });

  it('says when its program cannot run', async () => {
    const broken = join(folder, 'broken.cjs');
    appendFileSync(broken, 'process.exit(3)');
    await expect(traceOf(sink => scanInThread(broken, headOf(plain), sink, {}))).rejects.toThrow(
      'large.json cannot be read: its thread has ended.',
    );
  });
});
