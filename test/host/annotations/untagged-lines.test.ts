import {expect, it, vi} from 'vitest';
import {noScopes} from '../../support/scopes-stand-in.js';
import {TextDocument} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {UntaggedLines} = await import('../../../src/host/annotations/untagged-lines.js');
const {RangeCodeLenses} = await import('../../../src/host/annotations/code-lens.js');
const {FilesWithoutFigures} = await import('../../../src/host/annotations/file-without-figures.js');
const {LineHovers} = await import('../../../src/host/annotations/line-hovers.js');
const {untaggedTiming} = await import('../../../src/host/annotations/untagged-timing.js');

const document = new TextDocument({path: '/w/a.py', scheme: 'file', fsPath: '/w/a.py'}, 'a\nb\nc\nd\n') as never;
const timing = (gpuWorkNs: number) => {
  const work = {count: 1, cpuWallNs: 1, gpuWorkNs, backwardGpuWorkNs: 0, operations: 1, launches: 1};
  return untaggedTiming(work, {steps: 0, allGpuWorkNs: 10_000}, 'profile');
};
const of = (lines: readonly unknown[]) => ({of: () => Promise.resolve(lines)});
const annotations = {...of([{tag: {line: 1}, timing: {...timing(0), nameCount: 0}}]), onDidChange: () => undefined};
const untagged = new (UntaggedLines as new (...all: unknown[]) => InstanceType<typeof UntaggedLines>)(
  annotations,
  of(
    [1, 2, 3].map(line => ({
      ...{line, about: `the function f${String(line)}`, timing: timing(2000)},
      ...{names: [`a.py(${String(line)}): f`], kind: 'python_function'},
    })),
  ),
  of([{line: 2, kernels: ['triton_<b>'], otherLines: 1, timing: timing(1000)}]),
  of([{line: 3, names: ['Torch-Compiled Region: 0/0'], timing: timing(4000)}]),
  of([1, 4].map(line => ({line, name: `a.py:${String(line)}`, timing: timing(500), isPass: line === 1}))),
);

it('tells of each line what nothing else there tells', async () => {
  expect((await untagged.of(document)).map(({line, text}) => `${String(line)} ${text}`)).toEqual([
    '3 compiled region · GPU 4.00 µs/call · 40.0 % · ×1',
    '4 GPU 500 ns/call · 5.00 % · ×1',
    '2 GPU 2.00 µs/call · 20.0 % · ×1',
    '2 compiled kernel · GPU 1.00 µs/call · 10.0 % · ×1 · shared with 1 other line',
  ]);
});

it('says of an automatic line what its figures are of', async () => {
  const [, line] = await untagged.of(document);
  expect(line?.about).toMatch(/^Time while this line of your own code ran, with all that it called/);
});

it('says of the script of the profile that no line has a figure, with what to do', async () => {
  const open = (script: string | null) => ({name: 'p.json', state: {sidecar: {script}}});
  const lensesOf = async (profile: unknown, path: string, text: string, scopes: {of: () => unknown} = noScopes) => {
    const files = {
      pathIn: (list: readonly {file: string}[], uri: {path: string}) =>
        list.some(({file}) => uri.path === `/w/${file}`) ? uri.path : null,
    };
    const nothing = {of: () => Promise.resolve([]), onDidChange: () => undefined};
    const without = new FilesWithoutFigures({activeOpen: profile as never}, files, scopes as never);
    const one = new TextDocument({path, scheme: 'file', fsPath: path}, text);
    const lenses = await new RangeCodeLenses(nothing as never, nothing, without).provideCodeLenses(one as never);
    return lenses.map(({range, command}) => [range.start.line, command?.title, command?.command]);
  };
  const sentence = [0, 'No line of this file has a time in p.json.', ''];
  const stacks = [0, 'Record stacks and run again', 'gpuLens.recordStacksAgain'];
  const tag = [0, 'Tag every forward', 'gpuLens.tagEveryForward'];
  expect(await lensesOf(open('a.py'), '/w/a.py', 'print(1)\n')).toEqual([sentence, stacks]);
  expect(await lensesOf(open('a.py'), '/w/a.py', 'class A(B):\n  def forward(self): pass\n')).toEqual([
    ...[sentence, tag, stacks],
  ]);
  for (const profile of [open('b.py'), open(null), {state: {sidecar: null}}, null]) {
    expect(await lensesOf(profile, '/w/a.py', 'def forward(): pass\n')).toEqual([]);
  }
  // Lines may have figures outside of the window.
  const narrowed = {of: () => ({fromNs: 0, toNs: 1})};
  expect(await lensesOf(open('a.py'), '/w/a.py', 'print(1)\n', narrowed)).toEqual([]);
});

it('stands above the line, and in its hover, as text', async () => {
  const lenses = await new RangeCodeLenses(annotations as never, untagged, {of: () => expect.fail()}).provideCodeLenses(
    document,
  );
  const [never, call, , kernelsOfCall, whatIfCall, ofTorch] = lenses;
  expect(never?.command?.command).toBe('');
  // Each has its text, which leads to the timeline, the flame graph, the kernels and what could be different.
  expect(lenses.slice(1).map(({range}) => range.start.line)).toEqual(
    [2, 3, 1, 1].flatMap(line => [line, line, line, line]),
  );
  const shows = [['Torch-Compiled Region: 0/0'], 'cpu_op'];
  expect(call?.command).toMatchObject({command: 'gpuLens.showUntagged', arguments: [...shows, 'timeline']});
  expect(kernelsOfCall?.command?.arguments).toEqual([...shows, 'kernels']);
  expect(whatIfCall?.command).toMatchObject({command: 'gpuLens.showWhatIf', arguments: [{names: shows[0]}]});
  expect(ofTorch?.command?.arguments).toEqual([['a.py:4'], 'cpu_op', 'timeline']);
  expect(lenses.map(({command}) => command?.arguments)).toContainEqual([['a.py(2): f'], 'python_function', 'flame']);
  const profile = {
    path: '/gone',
    name: 'p',
    state: {kind: 'open', summary: {id: 1, info: {profiler: 'x', version: null, devices: []}}, sidecar: null},
  };
  const log = {warn: (text: string) => expect.fail(text)};
  const hovers = new (LineHovers as new (...all: unknown[]) => InstanceType<typeof LineHovers>)(
    annotations,
    untagged,
    {activeOpen: profile},
    noScopes,
    {},
    log,
  );
  const at = async (line: number) => {
    const hover = await hovers.provideHover(document, {line, character: 0} as never);
    return hover && (hover.contents as unknown as {value: string}).value;
  };
  expect(await at(0)).toBeNull();
  expect(await at(1)).toContain('the function f2');
  expect(await at(1)).toMatch(/\[Kernels\]\(command:gpuLens\.showUntagged\?/);
  expect(await at(1)).toMatch(/\[What if…\]\(command:gpuLens\.showWhatIf\?/);
  expect(await at(1)).toContain('triton\\_');
  expect(await at(1)).not.toContain('<b>');
});
