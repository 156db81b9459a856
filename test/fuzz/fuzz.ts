// Opens files that a seeded generator has damaged: run by scripts/fuzz.mjs (long) and by fuzz.test.ts (short).
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync, zstdCompressSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {seededRandom} from '../support/random.js';
import {checkFile} from './check-file.js';
import {checkSidecar} from './check-sidecar.js';
import {mutate, type Below} from './mutate.js';

interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
  /** What is done after the damage: the compression is whole then. */
  readonly pack?: (bytes: Buffer) => Buffer;
  /** What is wrong with how it is taken; where it is no trace. */
  readonly check?: (path: string) => Promise<string | null>;
}

/** A damaged file that was not taken as it should be. */
export interface Finding {
  readonly path: string;
  readonly fault: string;
}

/** Opens `count` damaged files in `folder`, and keeps those that are findings. The same seed gives the same files. */
export async function fuzz(project: string, folder: string, count: number, seed: number): Promise<Finding[]> {
  const random = seededRandom(seed);
  const below: Below = limit => Math.floor(random() * limit);
  const seeds = makeSeeds(project, folder);
  const findings: Finding[] = [];
  for (let i = 0; i < count; i++) {
    const {
      name,
      bytes,
      pack,
      check = checkFile,
    } = seeds[below(seeds.length)] ?? {name: 'empty', bytes: Buffer.alloc(0)};
    const damaged = mutate(bytes, below);
    const path = join(folder, `current-${name}`);
    writeFileSync(path, pack ? pack(damaged) : damaged);
    const fault = await check(path);
    if (fault === null) continue;
    const kept = join(folder, `finding-${String(seed)}-${String(i)}-${name}`);
    writeFileSync(kept, readFileSync(path));
    findings.push({path: kept, fault});
  }
  return findings;
}

function makeSeeds(project: string, folder: string): Seed[] {
  const text = Buffer.from(
    kinetoText(
      [
        kineto.range('step', 0, 1000),
        kineto.range('layer_0', 10, 400),
        kineto.range('layer_1', 500, 400),
        kineto.op('aten::mm', 20, 50, {'External id': 5, 'Sequence number': 3, 'Fwd thread id': 0}),
        kineto.op('MmBackward0', 600, 50, {'External id': 6, 'Sequence number': 3, 'Fwd thread id': 1}, 200),
        {ph: 's', id: 1, pid: 100, tid: 100, ts: 20, cat: 'fwdbwd', name: 'fwdbwd'},
        {ph: 'f', id: 1, pid: 100, tid: 200, ts: 600, cat: 'fwdbwd', name: 'fwdbwd', bp: 'e'},
        ...[1, 2, 3].flatMap(id => [kineto.call(id, 20 + id, 5), kineto.kernel(id, 40 + 10 * id, 25)]),
        {ph: 'B', name: 'open', pid: 100, tid: 100, ts: 950},
        {ph: 'E', pid: 100, tid: 100, ts: 960},
        {ph: 'M', name: 'thread_name', pid: 100, tid: 100, ts: 0, args: {name: 'main'}},
      ],
      {deviceProperties: [{id: 0, name: 'Tesla'}], distributedInfo: {rank: 0, world_size: 2}},
    ),
  );
  const sample = gunzipSync(readFileSync(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz')));
  const path = join(folder, 'seed.sqlite');
  rmSync(path, {force: true});
  const db = new Database(path);
  db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8'));
  db.close();
  return [
    {name: 'plain.json', bytes: text},
    {name: 'array.json', bytes: Buffer.from(text.toString().replace(/^[^[]*\[\{[^[]*\[|\]\}\s*$/gs, '['))},
    {name: 'sample.json', bytes: sample.subarray(0, 20_000)},
    {name: 'inside.json.gz', bytes: text, pack: gzipSync},
    {name: 'inside.json.zst', bytes: text, pack: zstdCompressSync},
    {name: 'outside.json.gz', bytes: gzipSync(sample.subarray(0, 100_000))},
    {name: 'outside.json.zst', bytes: zstdCompressSync(sample.subarray(0, 100_000))},
    {name: 'nsys.sqlite', bytes: readFileSync(path)},
    {name: 'report.nsys-rep', bytes: Buffer.from('NVIDIA Tegra Profiler Report 2024@6@2@225-246\0')},
    {
      name: 'run.meta.json',
      bytes: readFileSync(join(project, 'media', 'sample', 'profile', 'train.meta.json')),
      check: checkSidecar,
    },
  ];
}
