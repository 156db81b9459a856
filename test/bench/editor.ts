// Prints the costs of annotations of lines in the extension host, as one line of JSON: see docs/performance.md.
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {parseSidecar} from '../../src/core/source/sidecar.js';
import {SourceIndex} from '../../src/core/source/source-index.js';
import {EngineClient} from '../../src/engine/client.js';
import {Annotations} from '../../src/host/annotations/annotations.js';
import {CallLines} from '../../src/host/annotations/call-lines.js';
import {CompiledCalls} from '../../src/host/annotations/compiled-calls.js';
import {RangeCodeLenses} from '../../src/host/annotations/code-lens.js';
import {DocumentTags} from '../../src/host/annotations/document-tags.js';
import {EarlierRun} from '../../src/host/annotations/earlier-run.js';
import {RecordedSources} from '../../src/host/annotations/recorded-sources.js';
import {SourceLineWorks} from '../../src/host/annotations/source-lines.js';
import {UntaggedLines} from '../../src/host/annotations/untagged-lines.js';
import {KernelLines} from '../../src/host/annotations/kernel-lines.js';
import {RecordedFiles} from '../../src/host/source/recorded-files.js';
import {SourcePaths} from '../../src/host/source/source-paths.js';
import {createTagReader} from '../../src/source/tag-reader.js';
import {noJob} from '../support/no-job.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {noScopes} from '../support/scopes-stand-in.js';
import {EventEmitter, TextDocument} from '../support/vscode-stand-in.js';

const [, , programPath = '', givenTrace = ''] = process.argv;
const tagCount = 500;
const linesPerTag = 10;
const edits = 300;

const text = Array.from({length: tagCount}, (_, at) => functionText(at)).join('\n');
const source = `import math, torch\nfrom torch.profiler import record_function\n${text}`;
const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-editor-bench-'));
const path = join(folder, 'model.py');
const engine = new EngineClient({
  programPath,
  settings: () => ({memoryLimitBytes: null, cache: null}),
  onLost: reason => {
    throw new Error(reason);
  },
});
const summary = await engine.open({path: givenTrace || madeTrace()}, {signal: new AbortController().signal});
const reader = await createTagReader('python');
const sidecar = parseSidecar(
  JSON.stringify({
    sites: reader.tags(source).map(({line, endLine, pattern}) => ({
      name: pattern?.[0] ?? '',
      file: path,
      line,
      endLine,
      count: 3,
    })),
    files: [{file: path, lineCrc32: source.split('\n').map(line => crc32(line))}],
  }),
);
const profile = {
  key: 1,
  path: join(folder, 'x.json'),
  name: 'x',
  stamp: '',
  state: {kind: 'open', summary, sidecar, kernels: []},
};
const storeChanges = new EventEmitter();
const store = {activeOpen: profile, onDidChange: storeChanges.event} as never;
const log = {info: () => undefined, warn: console.error} as never;

const tags = new DocumentTags();
const earlier = new EarlierRun(store, engine, log);
const scopes = noScopes as never;
const workspace = {now: new SourceIndex(), isRead: true, onDidChange: new EventEmitter().event} as never;
const files = new RecordedFiles(workspace, new SourcePaths({get: () => undefined} as never));
const annotations = new Annotations(
  tags,
  new RecordedSources(files),
  files,
  earlier,
  workspace,
  store,
  scopes,
  engine,
  log,
  noJob as never,
);
const services = {annotations, files, store, scopes, engine, log};
const untagged = new UntaggedLines(
  annotations,
  new SourceLineWorks(services),
  new KernelLines(services),
  new CompiledCalls(services),
  new CallLines(services),
);
const lenses = new RangeCodeLenses(annotations, untagged, {of: () => null});
const document = new TextDocument({path, scheme: 'file', fsPath: path}, source);

const firstMs = await timed(() => lenses.provideCodeLenses(document as never));
const keysMs: number[] = [];
const answersMs: number[] = [];
/** CPU time of this process meanwhile: other programs do not count. */
const answersCpuMs: number[] = [];
const readsMs: number[] = [];
for (let edit = 0; edit < edits; edit++) {
  // Types letters, and a new line every tenth time, at places all over the file.
  const line = 3 + Math.floor(((edit * 0.618) % 1) * (document.lineCount - 4));
  keysMs.push(document.insert(line, document.lineAt(line).text.length, edit % 10 === 9 ? '\n' : 'x'));
  const beforeCpu = process.cpuUsage();
  answersMs.push(await timed(() => lenses.provideCodeLenses(document as never)));
  const {user, system} = process.cpuUsage(beforeCpu);
  answersCpuMs.push((user + system) / 1000);
  const now = document.getText();
  readsMs.push(await timed(() => reader.tags(now)));
}
const answer = await lenses.provideCodeLenses(document as never);
const figures = {
  lines: document.lineCount,
  lenses: answer.filter(({command}) => command?.title.includes('/step')).length,
  slices: summary.info.counts.kernels,
  firstMs,
  ...spread('key', keysMs),
  ...spread('answer', answersMs),
  ...spread('answerCpu', answersCpuMs),
  ...spread('read', readsMs),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
tags.dispose();
engine.dispose();

function functionText(at: number): string {
  return [
    `def layer_${String(at)}(x, mask=None):`,
    `    with record_function("range ${String(at)}"):`,
    '        scores = x @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])',
    '        if mask is not None:',
    '            scores = scores.masked_fill(mask[..., None], float("-inf"))',
    '        weights = torch.softmax(scores, dim=-1)  # over keys',
    '        return (weights @ x).reshape(x.shape[0], -1)',
    ...Array.from({length: linesPerTag - 7}, () => ''),
  ].join('\n');
}

function madeTrace(): string {
  const events: object[] = [];
  for (let step = 0; step < 3; step++) {
    const beginUs = step * 20_000;
    events.push(kineto.range(`ProfilerStep#${String(step)}`, beginUs, 19_000));
    for (let at = 0; at < tagCount; at++) {
      const id = step * tagCount + at + 1;
      const startUs = beginUs + 30 * at;
      events.push(kineto.range(`range ${String(at)}`, startUs, 20), kineto.call(id, startUs + 5, 5));
      events.push(kineto.kernel(id, startUs + 10, 15));
    }
  }
  const trace = join(folder, 'lines.json');
  writeFileSync(trace, kinetoText(events));
  return trace;
}

async function timed(run: () => unknown): Promise<number> {
  const beginMs = performance.now();
  await run();
  return performance.now() - beginMs;
}

function spread(name: string, values: readonly number[]): Record<string, number> {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return {[`${name}MedianMs`]: at(0.5), [`${name}P95Ms`]: at(0.95), [`${name}MostMs`]: at(1)};
}
