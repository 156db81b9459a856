import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {Trace} from '../../../src/core/trace/trace.js';
import {TraceCache} from '../../../src/importers/trace-cache.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {cli, run} from '../../support/command-line.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const write = (name: string, bytes: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const noteOf = (trace: Trace) => trace.notes.find(({code}) => code === 'import/memory-limit')?.text;

/** Kernels by the thousand that compress to next to nothing: the text between two of them changes in no way. */
const one = JSON.stringify(kineto.kernel(9, 1030, 40));
const many = (count: number) =>
  `{"traceEvents":[${JSON.stringify(kineto.range('step', 1000, 100))}${`,${one}`.repeat(count)}]}`;
const kernelCount = 200_000;
const names = (count: number, length: number) =>
  kinetoText(Array.from({length: count}, (_, i) => kineto.range(`${String(i)} ${'x'.repeat(length)}`, 1000 + i, 1)));

const manyKernels = `insert into CUPTI_ACTIVITY_KIND_KERNEL select k.* from CUPTI_ACTIVITY_KIND_KERNEL k,
  (with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000) select x from c)`;
const longTexts = `insert into StringIds with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000)
  select 100000 + x, x || hex(zeroblob(5000)) from c`;

const limit = {bytes: 10e6, name: 'gpuLens.memoryLimitMB'};
const sentence =
  'The profile needs more than 10 MB of memory. GPU Lens shows what it read up to that limit. gpuLens.memoryLimitMB raises the limit.';

describe('openTrace(file) within a limit of memory', () => {
  const text = many(kernelCount);
  const files: readonly (readonly [what: string, path: () => string])[] = [
    ['a plain trace', () => write('plain.json', text)],
    ['a trace, gzip', () => write('kernels.json.gz', gzipSync(text))],
    ['a trace, zstd', () => write('kernels.json.zst', zstdCompressSync(text))],
    ['a trace of long names', () => write('names.json', names(2000, 20_000))],
    ['a trace of many threads', () => write('threads.json', threads(20_000))],
    ['a database', () => writeNsysDatabase(join(folder, 'kernels.sqlite'), manyKernels)],
    ['a database of long texts', () => writeNsysDatabase(join(folder, 'texts.sqlite'), longTexts)],
  ];

  it.each(files)('ends with what was read, and a note: %s', async (what, file) => {
    const path = file();
    const whole = await openTrace(path);
    const cut = await openTrace(path, {memoryLimit: limit}).catch((error: unknown) => error as Error);
    if ('slices' in cut) {
      expect(noteOf(cut)).toBe(sentence);
      expect(cut.slices.length).toBeGreaterThan(0);
      expect(cut.slices.length).toBeLessThan(whole.slices.length);
    } else {
      // Texts come before all rows there.
      expect([what, cut.message]).toEqual([
        'a database of long texts',
        'The first events of texts.sqlite need more than 10 MB of memory. gpuLens.memoryLimitMB raises the limit.',
      ]);
    }
    expect(noteOf(await openTrace(path, {memoryLimit: {...limit, bytes: 2e9}}))).toBeUndefined();
  });

  const numbers = (count: number) =>
    `with recursive c(x) as (select 1 union all select x + 1 from c where x < ${String(count)})`;
  it.each([
    ['texts with ids far apart', `insert into StringIds ${numbers(200_000)} select x * 10000000, 'same' from c`],
    [
      'names of threads',
      `drop table if exists ThreadNames; create table ThreadNames (nameId integer, priority integer, globalTid integer);
       insert into ThreadNames ${numbers(100_000)} select (select max(id) from StringIds), 0, x << 24 | 5 from c`,
    ],
    [
      'call chains without samples',
      `drop table if exists COMPOSITE_EVENTS; drop table if exists SAMPLING_CALLCHAINS;
       create table COMPOSITE_EVENTS (id integer primary key, start integer, globalTid integer);
       insert into COMPOSITE_EVENTS values (1, 1100, 281475144482826);
       create table SAMPLING_CALLCHAINS (id integer, symbol integer, module integer, stackDepth integer);
       insert into SAMPLING_CALLCHAINS ${numbers(300_000)} select x, 1, 1, 0 from c`,
    ],
    [
      'scheduling of one thread',
      `drop table if exists SCHED_EVENTS;
       create table SCHED_EVENTS (start integer, cpu integer, isSchedIn integer, globalTid integer);
       insert into SCHED_EVENTS ${numbers(300_000)} select x, 1, 1, 281475144482826 from c`,
    ],
  ])('counts what is remembered besides the trace: %s', async (_, sql) => {
    const path = writeNsysDatabase(join(folder, 'side.sqlite'), sql);
    expect(noteOf(await openTrace(path))).toBeUndefined();
    const told = await openTrace(path, {memoryLimit: limit}).then(noteOf, (error: unknown) => (error as Error).message);
    expect(told).toMatch(/more (memory )?than 10 MB/);
  });

  it('reads the part of a text that fits', async () => {
    const table = '| size | mean (ms) |\n|---|---|\n' + '| small | 1.5 |\n'.repeat(60_000);
    const path = write('table.md', table);
    const rowsOf = ({textTables}: Trace) => textTables.reduce((sum, {rows}) => sum + rows.length, 0);
    const [whole, cut] = [await openTrace(path), await openTrace(path, {memoryLimit: limit})];
    expect(noteOf(cut)).toBe(sentence);
    expect(rowsOf(cut)).toBeGreaterThan(0);
    expect(rowsOf(cut)).toBeLessThan(rowsOf(whole));
  });

  it('does not keep such a trace for the next opening, which may have more memory', async () => {
    const path = write('kept.json', text);
    const cache = new TraceCache({folder: join(folder, 'cache'), limitBytes: 1e9}, 'program');
    expect((await cache.open(path, {memoryLimit: limit})).isWorthKeeping).toBe(false);
    expect((await cache.open(path, {})).isWorthKeeping).toBe(true);
  });
});

describe('gpu-lens --memory-limit', () => {
  /** The most memory that the program took, in MB, and what it told. */
  function peak(...args: string[]): {megabytes: number; stdout: string} {
    const measured = write('peak.json', '');
    const hook = write(
      'hook.cjs',
      `const {readFileSync, writeFileSync} = require('node:fs');
       // On Linux resourceUsage().maxRSS is at least that of the process which started this one.
       const peakKB = () => process.platform === 'linux'
         ? /^VmHWM:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]
         : String(process.resourceUsage().maxRSS);
       process.on('exit', () => writeFileSync(${JSON.stringify(measured)}, peakKB()));`,
    );
    const {stdout} = spawnSync(process.execPath, ['--require', hook, cli, ...args], {encoding: 'utf8'});
    return {megabytes: Number(readFileSync(measured, 'utf8')) / 1000, stdout};
  }

  it('bounds what a small compressed file takes', () => {
    // 300 MB of JSON.
    const part = Buffer.from(many(200_000));
    const rest = Buffer.from(`,${one}`.repeat(200_000));
    const path = write(
      'bomb.json.zst',
      Buffer.concat([
        zstdCompressSync(part.subarray(0, -2)),
        ...Array.from({length: 6}, () => zstdCompressSync(rest)),
        zstdCompressSync(Buffer.from(']}')),
      ]),
    );
    const base = peak('info', write('small.json', many(1))).megabytes;
    const limited = peak('info', path, '--memory-limit', '100');
    const whole = peak('info', path);
    expect(limited.stdout).toContain('more than 100 MB of memory');
    expect(whole.stdout).not.toContain('of memory:');
    expect(limited.megabytes - base).toBeLessThan(300);
    expect(whole.megabytes).toBeGreaterThan(limited.megabytes);
  });

  it.each(['0', 'much', '-5', ''])('refuses %j', value => {
    expect(run('info', 'any.json', `--memory-limit=${value}`)).toMatchObject({
      status: 2,
      stderr: `gpu-lens: --memory-limit takes a number of MB; not "${value}". See gpu-lens info --help.\n`,
    });
  });
});

function threads(count: number): string {
  return kinetoText(Array.from({length: count}, (_, i) => ({...kineto.range('step', 1000 + i, 1), tid: i})));
}
