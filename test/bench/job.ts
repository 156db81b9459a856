import {closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {jobReport, type JobReport} from '../../src/core/job/job-report.js';
import {summarizeCommand} from '../../src/cli/commands/summarize.js';
import {readJobRanks} from '../../src/importers/job-ranks.js';
import {ranksOfFile} from '../../src/cli/ranks-of-file.js';
import {RanksOfRecording} from '../support/ranks-of-recording.js';
import {peakResidentBytes} from './peak-memory.js';

// npm run bench:job: [root, folder, step]; see scripts/bench-job.mjs.
const [root = '', folder = '', step = ''] = process.argv.slice(2);
const profiles = join(folder, 'profiles');
const summaries = join(folder, 'summaries');
const unpackedBytes = 50e6;
const job = {ranks: 128, missing: 100, straggler: 77, drifted: 9, fastPpm: 15};
const aheadUs = (rank: number): number => ((rank * 7919) % 1000) * 25.6;

/** Ranks that run alike have the same body, which is compressed once: a gzip file may have several members. */
function write(): void {
  mkdirSync(profiles, {recursive: true});
  const recording = readFileSync(join(root, 'test', 'fixtures', 'gloo', 'ranks.rank0.pt.trace.json.gz'));
  const once = madeOf(recording, 1);
  const bytes = [...once.body(0)].reduce((sum, part) => sum + part.length, 0);
  const made = madeOf(recording, Math.ceil(unpackedBytes / bytes));
  const packed = (rank: number) => [...made.body(rank)].map(part => gzipSync(part, {level: 1}));
  const bodies = new Map([job.straggler, job.drifted].map(rank => [rank, packed(rank)]));
  const plain = packed(0);
  for (let rank = 0; rank < job.ranks; rank++) {
    if (rank === job.missing) continue;
    const file = openSync(join(profiles, `rank${String(rank)}.pt.trace.json.gz`), 'w');
    for (const part of [gzipSync(made.head(rank)), ...(bodies.get(rank) ?? plain)]) writeSync(file, part);
    closeSync(file);
  }
}

function madeOf(recording: Buffer, times: number): RanksOfRecording {
  return new RanksOfRecording(recording, {
    ...{ranks: job.ranks, times, aheadUs, fastPpm: (rank: number) => (rank === job.drifted ? job.fastPpm : 0)},
    straggler: {rank: job.straggler, lateUs: 50_000},
  });
}

async function read(): Promise<JobReport> {
  const {ranks} = await readJobRanks([summaries], {
    ...{signal: new AbortController().signal, limit: undefined, read: ranksOfFile},
    tell: () => undefined,
  });
  return jobReport(ranks);
}

/** Returns the differences between the results and the generated job. */
function faults({ranks, missing, culprit}: JobReport): Record<string, unknown> {
  const errorsNs = ranks.map(({rank, offsetNs}) => {
    const madeNs = Math.round((1000 * aheadUs(rank)) / 256) * 256;
    return Math.abs(offsetNs + madeNs);
  });
  const drifted = ranks.find(({rank}) => rank === job.drifted);
  return {
    missing,
    culprit: culprit?.rank ?? null,
    worstOffsetNs: errorsNs.filter((_, at) => ranks[at]?.rank !== job.drifted).reduce((a, b) => Math.max(a, b), 0),
    driftPpm: drifted?.driftPpm,
  };
}

const startMs = performance.now();
let found: Record<string, unknown> = {};
if (step === 'write') write();
else if (step === 'summarize') {
  rmSync(summaries, {recursive: true, force: true});
  const quiet = {
    write: () => undefined,
    tell: () => undefined,
    tellNote: () => undefined,
    tellProgress: () => undefined,
    exitWith: () => undefined,
  };
  await summarizeCommand.run({...quiet, format: 'table'}, [profiles], {output: summaries});
  found = {summaries: readdirSync(summaries).length};
} else found = faults(await read());
const {user, system} = process.cpuUsage();
const seconds = (ms: number): number => Math.round(ms / 10) / 100;
const figures = {waitedS: seconds(performance.now() - startMs), processorS: seconds((user + system) / 1000)};
console.log(JSON.stringify({step, ...figures, peakMB: Math.round(peakResidentBytes() / 1e6), ...found}));
