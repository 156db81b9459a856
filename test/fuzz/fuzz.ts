// Opens files damaged by a seeded generator; run by scripts/fuzz.mjs (long) and by fuzz.test.ts (short).
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync, zstdCompressSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {seededRandom} from '../support/random.js';
import {rocprofText} from '../support/rocprof-records.js';
import {checkFile} from './check-file.js';
import {checkSidecar} from './check-sidecar.js';
import {mutateValues} from './mutate-values.js';
import {mutate, mutateInPlace, type Below} from './mutate.js';

interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
  /** Applied after the damage, so that the compression is intact. */
  readonly pack?: (bytes: Buffer) => Buffer;
  /** How to damage it, if not as arbitrary bytes. */
  readonly mutate?: typeof mutate;
  /** Returns what is wrong with how it is handled, if it is not a trace. */
  readonly check?: typeof checkFile;
}

/** A damaged file that was handled wrongly. */
export interface Finding {
  readonly path: string;
  readonly fault: string;
}

/** One file in this many comes from an attack: these take longer than others. */
const attackShare = 12;
/** For one file in this many all queries are run, which takes most of the time. */
const askedShare = 3;

/** Opens `count` damaged files in `folder`, and keeps those with findings. The same seed gives the same files. */
export async function fuzz(project: string, folder: string, count: number, firstSeed: number): Promise<Finding[]> {
  const random = seededRandom(firstSeed);
  const below: Below = limit => Math.floor(random() * limit);
  const seeds = makeSeeds(project, folder);
  const attacks = corpus(project);
  const findings: Finding[] = [];
  for (let i = 0; i < count; i++) {
    const from = below(attackShare) === 0 ? attacks : seeds;
    const seed: Seed = from[below(from.length)] ?? {name: 'empty', bytes: Buffer.alloc(0)};
    const {name, bytes, pack, check = checkFile} = seed;
    const damaged = (seed.mutate ?? mutate)(bytes, below);
    const path = join(folder, `current-${name}`);
    writeFileSync(path, pack ? pack(damaged) : damaged);
    const fault = await check(path, below(askedShare) === 0);
    if (fault === null) continue;
    const kept = join(folder, `finding-${String(firstSeed)}-${String(i)}-${name}`);
    writeFileSync(kept, readFileSync(path));
    findings.push({path: kept, fault});
  }
  return findings;
}

function makeSeeds(project: string, folder: string): Seed[] {
  const events = [
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
  ];
  const text = Buffer.from(
    kinetoText(events, {deviceProperties: [{id: 0, name: 'Tesla'}], distributedInfo: {rank: 0, world_size: 2}}),
  );
  const sample = gunzipSync(readFileSync(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz')));
  const fixture = (name: string) => readFileSync(join(project, 'test', 'fixtures', 'nsys', name), 'utf8');
  const worked = fixture('worked.sql');
  const nsys = database(folder, worked + fixture('events.sql'));
  return [
    // Read and write version 2: SQLite looks for a write-ahead log.
    {name: 'hidden-log.sqlite', bytes: Buffer.from(nsys).fill(2, 18, 20)},
    {name: 'plain.json', bytes: text},
    {name: 'array.json', bytes: Buffer.from(JSON.stringify(events))},
    {name: 'sample.json', bytes: sample.subarray(0, 20_000)},
    {name: 'inside.json.gz', bytes: text, pack: gzipSync},
    {name: 'inside.json.zst', bytes: text, pack: zstdCompressSync},
    {name: 'outside.json.gz', bytes: gzipSync(sample.subarray(0, 100_000))},
    {name: 'outside.json.zst', bytes: zstdCompressSync(sample.subarray(0, 100_000))},
    {name: 'rocprof.json', bytes: Buffer.from(rocprofText())},
    {name: 'rocprof.json.gz', bytes: Buffer.from(rocprofText()), pack: gzipSync},
    {name: 'nsys.sqlite', bytes: nsys},
    {name: 'values.sqlite', bytes: nsys, mutate: mutateValues},
    {
      name: 'pages.sqlite',
      bytes: database(folder, `pragma page_size = 512; ${worked} ${manyRows}`),
      mutate: mutateInPlace,
    },
    {name: 'report.txt', bytes: Buffer.from(printedTables)},
    {name: 'utf16.txt', bytes: Buffer.from(`\ufeff${printedTables}`, 'utf16le')},
    {name: 'report.nsys-rep', bytes: Buffer.from('NVIDIA Tegra Profiler Report 2024@6@2@225-246\0')},
    {
      name: 'run.meta.json',
      bytes: readFileSync(join(project, 'media', 'sample', 'profile', 'train.meta.json')),
      check: checkSidecar,
    },
  ];
}

/** Returns the small attacks in the folder `corpus`. */
function corpus(project: string): Seed[] {
  const folder = join(project, 'test', 'fuzz', 'corpus');
  return readdirSync(folder)
    .filter(name => /\.(json|gz|zst)$/.test(name))
    .sort()
    .map(name => ({name, bytes: readFileSync(join(folder, name))}));
}

/** All layouts of tables that users keep. */
const printedTables = `
[3/8] Executing 'cuda_gpu_kern_sum' stats report

 Time (%)  Total Time (ns)  Instances  Name
 --------  ---------------  ---------  ----
\u00a0    60.0            1,200          2  void at::n…
     40.0              800          1  void at::n…

---------  ----------  ----------
     Name    Self CPU  # of Calls
---------  ----------  ----------
 aten::mm     1.200ms           3
---------  ----------  ----------
Self CPU time total: 1.200ms

| Model | Forward (ms) |  |
|---|---|---|
| | **a** | **b** |
| small \\| x | 1.5 ± 0.1 | ❌ Failed |

<table><tr><th rowspan="2">Size</th><th colspan="2">CPU</th></tr><tr><th>a</th><th>b</th></tr>
<tr><td>small</td><td>1.5ms</td><td>TBD</td></tr></table>

forward [1.5 2.5 3.5
 4.5]
Forward pass mean time: 20.95 ms
Forward pass std dev: 2.26 ms
`;

/** Tables with several levels of pages, texts with overflow pages, columns that were added later. */
const manyRows = `
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 80)
    insert into NVTX_EVENTS select 3000 + i * 20, 3010 + i * 20, 59, substr(hex(zeroblob(1000)), 1, i * i % 1400), null,
      281475144482826, null, i % 3, i << 40 from n;
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 80)
    insert into CUPTI_ACTIVITY_KIND_RUNTIME select 4000 + i * 20, 4005 + i * 20, i % 2, 281475144482826, i, 1, -i from n;
  alter table CUPTI_ACTIVITY_KIND_KERNEL add column bytes integer default 3;
  insert into CUPTI_ACTIVITY_KIND_KERNEL select start + 50, "end" + 60, 0, 1, 7, correlationId, 281475144482816, 2, 3,
    correlationId << 33 from CUPTI_ACTIVITY_KIND_RUNTIME;`;

function database(folder: string, sql: string): Buffer {
  const path = join(folder, 'seed.sqlite');
  rmSync(path, {force: true});
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return readFileSync(path);
}
