import {afterAll, beforeAll, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import {changesOfTarget} from '../../../src/core/what-if/asked-changes.js';
import {trackRecordText} from '../../../src/core/what-if/record/track-record.js';
import {pathAnswer} from '../../../src/core/what-if/recorded/path-answer.js';
import {usualChange, usualChanges} from '../../../src/core/what-if/usual-changes.js';
import {whatIf} from '../../../src/core/what-if/what-if.js';
import {whatIfPage} from '../../../src/core/what-if/what-if-page.js';
import {shortKernelName} from '../../../src/core/names/short-kernel-name.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
import {trainingProgram} from '../../support/training-program.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {chineseTexts, outsideOfWords, pseudo} from '../../support/translations.js';

const h100 = {deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}]};

beforeAll(() => {
  setWords(Object.fromEntries(Object.keys(chineseTexts).map(text => [text, pseudo(text)])));
});
afterAll(() => {
  setWords(undefined);
});

/** Names of what ran, of classes of kernels and of GPUs. */
const names = new Set([
  ...(trainingProgram().events as readonly KinetoEvent[]).flatMap(({name}) => [name, shortKernelName(name)]),
  ...['load', 'aten::mm', 'ProfilerStep', 'h100', 'b200', 'H100', 'B200', 'H100 → B200'],
  ...['matrix product', 'attention', 'normalisation', 'elementwise'],
]);
const isName = (text: string) => names.has(text.replace(/^- /, ''));

/** What is not said of lines of Markdown and of their cells. */
const outside = (texts: readonly string[]) =>
  outsideOfWords(
    texts.flatMap(text =>
      text
        .replace(/`[^`]*`/g, '')
        .replace(/\\(.)/g, '$1')
        .split(/[|\n]/),
    ),
  ).filter(text => !isName(text));

const traces = [
  {of: 'a GPU', events: trainingProgram().events, members: h100},
  {of: 'a GPU that it does not name', events: trainingProgram().events, members: {}},
  {
    of: 'a CPU',
    events: [kineto.range('load', 0, 100), kineto.op('aten::mm', 0, 50), kineto.op('aten::mm', 60, 20)],
    members: {},
  },
  {of: 'nothing that can be replayed', events: [kineto.range('load', 0, 10)], members: {}},
];
const others = ['loader-workers=4', 'bucket-size=2', 'batch=2', 'fuse=load', 'at-roof=forward', 'faster=load:inf'];

it.each(traces)('a page of "What If…" is said in the editor’s language: of $of', async ({events, members}) => {
  const trace = await traceOfEvents(events, members);
  const of = (changes: readonly {change: string; title: string}[]) =>
    changes.map(change => usualChange(trace, null, change));
  const targets = [{name: 'forward'}, {name: 'load'}, {name: '1'}, {rule: 'idle/launch-bound'}];
  const page = whatIfPage(
    {
      answer: whatIf(trace, null),
      changes: [...of(usualChanges(trace)), ...of(others.map(change => ({change, title: ''})))],
      asked: targets.flatMap(target => of(changesOfTarget(trace, target))),
      systems: [],
      noSystems: null,
    },
    '1',
    trackRecordText({predictions: 2, judged: 1, inside: 1, medianErrorPoints: 3}),
  );
  expect(page).toContain('[!!Everything below is predicted.!!]');
  expect(outside([page])).toEqual([]);
});

it('notes about a change do not begin with the change, which has a cell of its own', async () => {
  const trace = await traceOfEvents(trainingProgram().events, h100);
  const [loader] = usualChanges(trace).map(change => usualChange(trace, null, change));
  expect([loader?.change, loader?.note]).toEqual(['data-loader=0', expect.stringMatching(/^6\[!! waits for a batch/)]);
});

it('a critical path is said in the editor’s language', async () => {
  const trace = await traceOfEvents(trainingProgram().events, h100);
  const {window, shares} = pathAnswer(trace, null, null);
  expect(outside([window, ...Object.values(shares).flatMap(parts => parts.map(({name}) => name))])).toEqual([]);
});
