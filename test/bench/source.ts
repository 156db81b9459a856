// Prints the costs of tags as one line of JSON: indexing a workspace, and typing in a long file. See
// docs/performance.md.
import {readFileSync} from 'node:fs';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {SourceIndex} from '../../src/core/source/source-index.js';
import {namedTags} from '../../src/core/source/tag-patterns.js';
import {EngineClient} from '../../src/engine/client.js';
import {SourceClient} from '../../src/engine/source-client.js';
import {createTagReader} from '../../src/source/tag-reader.js';
import {threadCpuMs} from '../support/usual-work.js';

/** Bundles of the two workers, paths of a workspace's files (a JSON list), a long file, a profile with its ranges. */
const [, , sourcesPath = '', enginePath = '', listPath = '', longPath = '', profilePath = ''] = process.argv;
/**
 * Number of keys typed at places all over the file; the first ones are not counted, because code is slow when it first
 * runs.
 */
const keys = 200;
const uncounted = 20;
const functionEnd = 'return {"a": z}';
const statement = '\n    y = z.sum() + 1';

const index = await indexing();
const typing = await typed();
process.stdout.write(`${JSON.stringify({...index, ...typing})}\n`);

/** Returns the time to index all files, and then one that has changed. */
async function indexing(): Promise<Record<string, number>> {
  const client = new SourceClient(sourcesPath);
  const known = new SourceIndex();
  const paths = JSON.parse(readFileSync(listPath, 'utf8')) as string[];
  let longestTakeMs = 0;
  let batches = 0;
  const read = async (some: readonly string[]) => {
    const beginMs = performance.now();
    await client.read(some, files => {
      const takenMs = threadCpuMs();
      batches++;
      for (const {path, contents} of files) if (contents) known.set(path, contents);
      longestTakeMs = Math.max(longestTakeMs, threadCpuMs() - takenMs);
    });
    return performance.now() - beginMs;
  };
  const delay = monitorEventLoopDelay({resolution: 1});
  delay.enable();
  const [ofAll, ofThread] = [process.cpuUsage(), threadCpuMs()];
  const indexMs = await read(paths);
  const {user, system} = process.cpuUsage(ofAll);
  const hostCpuMs = threadCpuMs() - ofThread;
  delay.disable();
  const oneFileMs = await read(paths.slice(0, 1));
  const name = known.tags.at(-1)?.tag.pattern?.[0] ?? '';
  const lookUpMs = median(() => known.placesFor(name));
  await client.dispose();
  return {
    files: known.files,
    tags: known.tags.length,
    indexMs,
    indexCpuMs: (user + system) / 1000,
    hostCpuMs,
    batches,
    longestTakeMs,
    loopDelayMostMs: delay.max / 1e6,
    oneFileMs,
    lookUpMs,
  };
}

/** Returns the cost of a key, and of the timings of all lines after it. */
async function typed(): Promise<Record<string, number>> {
  const client = new EngineClient({
    programPath: enginePath,
    settings: () => ({memoryLimitBytes: null, cache: null}),
    onLost: reason => {
      throw new Error(reason);
    },
  });
  const {id} = await client.ask('profile/open', {path: profilePath});
  const reader = await createTagReader('python');
  let text = readFileSync(longPath, 'utf8');
  const openMs = timeOf(() => reader.tags(text));
  const keysMs: number[] = [];
  const keysCpuMs: number[] = [];
  const answersMs: number[] = [];
  let at = 0;
  for (let key = 0; key < keys; key++) {
    const letter = key % statement.length;
    // Types a statement at the end of a function, then one in another function.
    if (letter === 0)
      at = text.indexOf(functionEnd, Math.floor(((key * 0.618) % 1) * text.length)) + functionEnd.length;
    text = text.slice(0, at) + statement.charAt(letter) + text.slice(at);
    at++;
    const beginMs = performance.now();
    const beginCpuMs = threadCpuMs();
    const tags = reader.tags(text);
    keysMs.push(performance.now() - beginMs);
    keysCpuMs.push(threadCpuMs() - beginCpuMs);
    const patterns = namedTags(tags, null, null, null).map(tag => tag.patterns);
    const timings = await client.ask('lines/timings', {profile: id, patterns, of: 'steps'});
    answersMs.push(performance.now() - beginMs);
    if (key === 0 && timings.some(({count}) => count === 0)) throw new Error('A tag of the file has no range.');
  }
  client.dispose();
  return {
    lines: text.split('\n').length,
    openMs,
    keyMedianMs: percentile(keysMs.slice(uncounted), 50),
    keyP95Ms: percentile(keysMs.slice(uncounted), 95),
    keyCpuMedianMs: percentile(keysCpuMs.slice(uncounted), 50),
    keyCpuP95Ms: percentile(keysCpuMs.slice(uncounted), 95),
    answerMedianMs: percentile(answersMs.slice(uncounted), 50),
    answerP95Ms: percentile(answersMs.slice(uncounted), 95),
  };
}

function timeOf(run: () => unknown): number {
  const beginMs = performance.now();
  run();
  return performance.now() - beginMs;
}

function median(run: () => unknown): number {
  const times = Array.from({length: 9}, () => timeOf(run));
  return percentile(times, 50);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? NaN;
}
