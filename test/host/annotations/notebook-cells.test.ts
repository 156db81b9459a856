import {crc32} from 'node:zlib';
import {expect, it, vi} from 'vitest';
import {lineTimings} from '../../../src/core/lines/line-timings.js';
import type {NamePattern} from '../../../src/core/names/name-pattern.js';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {noJob} from '../../support/no-job.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {noScopes} from '../../support/scopes-stand-in.js';
import {filesOfWorkspace} from '../../support/recorded-files.js';
import {EventEmitter, TextDocument, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {Annotations} = await import('../../../src/host/annotations/annotations.js');
const {DocumentTags} = await import('../../../src/host/annotations/document-tags.js');
const {RecordedSources} = await import('../../../src/host/annotations/recorded-sources.js');
const {RangeCodeLenses} = await import('../../../src/host/annotations/code-lens.js');

const {files} = await filesOfWorkspace();

const cells = [
  'from torch.profiler import record_function\nwith record_function("attention"):\n    attend(x)\n',
  'for i in range(2):\n    with record_function(f"layer_{i}"):\n        layers[i](x)\n',
  'with record_function("never"):\n    pass\n',
];
const trace = traceFromText(`
range attention   ====
range layer_0         ==
range layer_1           ==
call              A   B C
stream 7          AA  B CCC
`);
/** What the kernel calls the files of cells: names that no file has. */
const sidecar = {
  sites: [
    {name: 'attention', file: '/tmp/ipykernel_7/1234.py', line: 2, count: 1},
    {name: 'layer_0', file: '<ipython-input-2-0123456789ab>', line: 2, count: 1},
  ],
  files: [{file: '/tmp/ipykernel_7/1234.py', gitBlob: null, lineCrc32: [crc32('')]}],
};

/** The annotations of cells, with a profile of which a runner tells that. */
function annotationsOf(sidecar: object): InstanceType<typeof Annotations> {
  const store = {
    activeOpen: {key: 1, path: '/w/p.json', state: {kind: 'open', summary: {id: 1, info: {}}, sidecar}},
    onDidChange: new EventEmitter().event,
  };
  const engine = {
    ask: (question: string, {patterns}: {patterns: NamePattern[][]}) =>
      Promise.resolve(question === 'lines/timings' ? lineTimings(trace, patterns) : null),
  };
  const never = {timings: () => Promise.resolve(null)};
  const log = {warn: (line: string) => expect.fail(line)};
  const index = {now: new SourceIndex(), onDidChange: new EventEmitter().event};
  const parts = [
    new DocumentTags(),
    new RecordedSources(files),
    files,
    never,
    index,
    store,
    noScopes,
    engine,
    log,
    noJob,
  ];
  return new (Annotations as new (...all: unknown[]) => InstanceType<typeof Annotations>)(...parts);
}

/** Every cell of a notebook is a document of its own, of the notebook's path. */
function cellOf(text: string, at: number): TextDocument {
  const uri = {
    path: '/w/train.ipynb',
    scheme: 'vscode-notebook-cell',
    fsPath: '/w/train.ipynb',
    fragment: String(at),
  };
  return new TextDocument(uri, text);
}

it('the cells of a notebook have the figures of their tags, by their names', async () => {
  const annotations = annotationsOf(sidecar);
  const none = {of: () => Promise.resolve([])} as never;
  const lenses = new RangeCodeLenses(annotations, none, {of: () => null});
  const titles = cells.map(async (text, at) => {
    const found = await lenses.provideCodeLenses(cellOf(text, at) as never);
    return found
      .map(({range, command}) => `${String(range.start.line)}: ${command?.title ?? ''}`)
      .filter(title => /[a-z] /.test(title));
  });
  expect(await Promise.all(titles)).toEqual([
    ['1: GPU 2.00 µs/call · 33.3 % · ×1'],
    ['1: GPU 2.00 µs/call · 66.7 % · ×2'],
    ['0: not in this profile'],
  ]);
});

it('a cell is what it ran as: names that are computed have figures, and edits are told', async () => {
  const computed = 'a = 1\nwith record_function(name()):\n    attend(x)\n    attend(y)';
  const other = 'b = 2\nwith record_function(name()):\n    rest(x)\n';
  const recorded = (file: string, text: string) => ({
    file,
    gitBlob: null,
    lineCrc32: text.split('\n').map(line => crc32(line)),
  });
  const annotations = annotationsOf({
    sites: [
      {name: 'attention', file: '/tmp/ipykernel_7/1.py', line: 2, endLine: 4, count: 1},
      {name: 'layer_1', file: '/tmp/ipykernel_7/2.py', line: 2, endLine: 3, count: 1},
    ],
    files: [recorded('/tmp/ipykernel_7/1.py', `${computed}\n`), recorded('/tmp/ipykernel_7/2.py', other)],
  });
  const documents = [computed, other, 'with record_function(name()):\n    third()\n'].map(cellOf);
  workspace.textDocuments = documents as never;
  const shown = async (at: number) =>
    (await annotations.of(documents[at] as never)).map(({tag, timing, isStale}) => [
      tag.line,
      timing.names.map(({name}) => name).join(),
      isStale,
    ]);
  expect(await shown(0)).toEqual([[2, 'attention', false]]);
  expect(await shown(1)).toEqual([[2, 'layer_1', false]]);
  expect(await shown(2)).toEqual([]);
  documents[0]?.insert(2, 4, 'more = ');
  expect(await shown(0)).toEqual([[2, 'attention', true]]);
  documents[1]?.insert(0, 0, 'c = 3\n');
  expect(await shown(1)).toEqual([[3, 'layer_1', false]]);
});
