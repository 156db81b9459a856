import {fork, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {MessageChannel} from 'node:worker_threads';
import {afterEach, describe, expect, it} from 'vitest';
import {EngineClient, type EngineClientOptions} from '../../src/engine/client.js';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests, EngineStart} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {GpuProgram} from '../support/gpu-program.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';
import {twoRanks} from '../support/rank-files.js';
import {allLanes} from '../support/all-lanes.js';

const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const program = join(project, 'dist', 'engine.cjs');

const folder = temporaryFolder();
/** An engine that comes to harm when it is asked about its first profile; `harm` is the code that does it. */
function harmed(name: string, harm: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(
    path,
    `process.on('message', ({id, method, params}) => {
      if (method === 'slice/details' && params.profile === 1) { ${harm} }
      const isFirst = params?.path?.endsWith('grows.json');
      const result = method === 'profile/open' ? {id: isFirst ? 1 : 2, stamp: ''} : {slice: 0};
      if (method) process.send({kind: 'result', id, result});
    });`,
  );
  return path;
}

/** The built engine, which also comes to harm when it is asked for the places of a range. */
function harmedEngine(name: string, harm: string): string {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(
    path,
    `process.on('message', ({method}) => { if (method === 'range/places') { ${harm} } });
    require(${JSON.stringify(program)});`,
  );
  return path;
}

describe('the engine, over a message channel', () => {
  const {port1, port2} = new MessageChannel();
  serve<EngineRequests>(
    workerPort(port1),
    createEngine({settings: {memoryLimitBytes: null, cache: null}, profiles: []}, 'test'),
  );
  const {ask} = connect<EngineRequests>(workerPort(port2));

  it('compares operators by shapes, if both profiles have them', async () => {
    const programOf = (gpu: number) => {
      const shaped = (rows: number) => ({'Input Dims': [[rows, 3]], 'Input type': ['float']});
      return new GpuProgram()
        .launch({operator: 'aten::mm', gpu: 10, args: shaped(8)})
        .launch({operator: 'aten::mm', gpu, args: shaped(64)});
    };
    const sideOf = async (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return {profile: (await ask('profile/open', {path})).id, sidecar: null, selection: {}};
    };
    const base = await sideOf('shaped-base.json', kinetoText(programOf(20).events));
    const changed = await sideOf('shaped-changed.json', kinetoText(programOf(25).events));
    const operators = (await ask('compare/shapes', {base, changed}))?.rows.filter(({kind}) => kind === 'op');
    expect(operators?.map(({path, matchedBy, deltaNs}) => [path, matchedBy, deltaNs])).toEqual([
      ['aten::mm [[64, 3]]', 'shapes', 5000],
      ['aten::mm [[8, 3]]', 'shapes', 0],
    ]);
    const [first, second] = [
      {fromNs: 0, toNs: 15_000},
      {fromNs: 15_000, toNs: 40_000},
    ].map(selection => ({...base, selection}));
    const parts = first && second && (await ask('compare/shapes', {base: first, changed: second}));
    expect(parts?.rows.find(({kind}) => kind === 'op')).toMatchObject({
      ...{path: 'aten::mm [[64, 3]]', matchedBy: 'shapes', deltaNs: 20_000},
    });
    const without = await sideOf('unshaped.json', kinetoText(new GpuProgram().launch({operator: 'op', gpu: 1}).events));
    expect(await ask('compare/shapes', {base, changed: without})).toBeNull();
  });

  it('opens a profile and answers questions about it', async () => {
    const {id, info, tracks} = await ask('profile/open', {path: sample});
    expect(info.counts.ranges).toBeGreaterThan(50);
    const [timing] = await ask('lines/timings', {profile: id, patterns: [[['layer_', '']]], of: 'steps'});
    expect(timing?.count).toBe(12);
    const predict = (system: string) =>
      ask('lines/predicted', {profile: id, patterns: [[['layer_', '']], [['none']]], system});
    const known = await predict('h100');
    expect(known?.map(line => line !== null)).toEqual([true, false]);
    expect(known?.[0]?.intervalNs[0]).toBeLessThan(known?.[0]?.predictedNs ?? 0);
    expect(await predict('no such GPU')).toBeNull();
    const place = await ask('range/places', {profile: id, patterns: [['train_step']]});
    const details = await ask('slice/details', {profile: id, slice: place?.slice ?? -1});
    expect(details).toMatchObject({name: 'train_step', kind: 'user_annotation'});
    const {slices} = await ask('timeline/visible', {
      profile: id,
      window: {
        fromNs: 0,
        toNs: info.spanNs,
        widthPx: 1000,
        lanes: allLanes(tracks.map(({track}) => track)),
        instants: [],
        counters: [],
      },
    });
    expect(slices.blocks.length).toBeGreaterThan(100);
    const flame = await ask('flame', {profile: id, query: {weight: 'cpu'}});
    expect(flame.names).toContain('ProfilerStep*');
    const {answer, changes, systems} = await ask('what-if', {profile: id});
    expect(changes.map(({change}) => change)).toEqual(['data-loader=0']);
    expect(systems.map(({system}) => system)).toEqual(['a100-80gb', 'h100', 'b200', 'mi300x']);
    for (const {predictedNs} of systems) expect(predictedNs).toBeLessThan(answer.measuredNs);
    await ask('profile/close', {profile: id});
    await expect(ask('slice/details', {profile: id, slice: 0})).rejects.toMatchObject({code: 'profile/not-open'});
  });

  it('has a row for each rank of a job whose files are open', async () => {
    const [first, second] = twoRanks(folder);
    const query = {tab: 'ranks', selection: {}, filter: {text: '', isRegex: false, sort: []}};
    const {id} = await ask('profile/open', {path: first});
    const waits = async () => {
      const {columns, rows} = await ask('tables/page', {profile: id, query, firstRow: 0, count: 10});
      return rows.map(({texts}) => texts[columns.findIndex(({header}) => header === 'Wait (ns)')]);
    };
    expect(await waits()).toEqual(['']);
    const other = await ask('profile/open', {path: second});
    expect(await waits()).toEqual(['30.0 µs', '0 ns']);
    await ask('profile/close', {profile: other.id});
    expect(await waits()).toEqual(['']);
  });

  it('keeps nothing of an opening that was cancelled', async () => {
    await expect(ask('profile/open', {path: sample}, {signal: AbortSignal.abort()})).rejects.toMatchObject({
      code: 'import/cancelled',
    });
  });

  it('rejects with the importer’s sentence', async () => {
    await expect(ask('profile/open', {path: join(project, 'package.json')})).rejects.toMatchObject({
      code: 'import/not-a-trace',
    });
    port1.close();
  });
});

describe('EngineClient', () => {
  let client: EngineClient | null = null;
  const lost: string[] = [];
  const settings = () => ({memoryLimitBytes: null, cache: null});
  const start = (options: Partial<EngineClientOptions> = {}) =>
    (client = new EngineClient({programPath: program, settings, onLost: reason => lost.push(reason), ...options}));
  afterEach(() => client?.dispose());

  it('has its program built before', () => {
    expect(existsSync(program)).toBe(true);
  });

  it('starts the process with the first question', async () => {
    const {info} = await start().ask('profile/open', {path: sample});
    expect(info.format).toBe('kineto');
  });

  it('gives the process the words of the editor, in which it says what it answers', async () => {
    const {ask} = start({words: {Operators: '算子'}});
    const {id} = await ask('profile/open', {path: sample});
    const {tops} = await ask('summary', {profile: id});
    expect(tops.map(({title}) => title)).toContain('算子');
  });

  it('rejects what is waiting when the process dies, says so, and starts another', async () => {
    const broken = start({programPath: join(project, 'package.json')});
    await expect(broken.ask('profile/open', {path: sample})).rejects.toMatchObject({code: 'rpc/closed'});
    expect(lost.at(-1)).toContain('The engine stopped');
  });

  it('says which profile it ran out of memory with, and open profiles come back by themselves', async () => {
    const engine = start({heapLimitMB: 40});
    const {id, info} = await engine.ask('profile/open', {path: sample});
    const asks = () => engine.ask('lines/timings', {profile: id, patterns: [[['layer_', '']]], of: 'steps'});
    const timings = await asks();
    const path = join(folder, 'many-names.json');
    const names = Array.from({length: 400_000}, (_, i) => `a name of its own that takes some memory ${String(i)}`);
    writeFileSync(path, kinetoText(names.map((name, at) => kineto.range(name, at, 1))));
    const sentence = /^GPU Lens ran out of memory while reading many-names\.json\. Close other profiles/;
    await expect(engine.ask('profile/open', {path})).rejects.toMatchObject({
      code: 'rpc/closed',
      message: expect.stringMatching(sentence) as string,
    });
    expect(lost.at(-1)).toMatch(sentence);
    expect(await asks()).toEqual(timings);
    const next = await engine.ask('profile/open', {path: sample});
    expect(next.id).toBeGreaterThan(id);
    expect(next.info).toEqual(info);
    await engine.ask('profile/close', {profile: id});
    await expect(asks()).rejects.toMatchObject({code: 'profile/not-open'});
  });

  it('does not try a profile again whose reading has stopped the engine twice', async () => {
    const path = join(folder, 'grows.json');
    writeFileSync(path, kinetoText([kineto.range('small', 0, 1)]));
    const engine = start({programPath: harmed('stopping', 'process.exit();')});
    const {id} = await engine.ask('profile/open', {path});
    const other = await engine.ask('profile/open', {path: sample});
    const details = (profile: number) => engine.ask('slice/details', {profile, slice: 0});
    for (let i = 0; i < 2; i++) await expect(details(id)).rejects.toMatchObject({code: 'rpc/closed'});
    expect(lost.at(-1)).toBe('The engine stopped while reading grows.json. It restarts with your next action.');
    await expect(details(id)).rejects.toMatchObject({
      code: 'engine/out-of-memory',
      message: 'The engine stopped twice while reading grows.json. Close other profiles and open it again.',
    });
    expect(await details(other.id)).toMatchObject({slice: 0});
  });

  it.each([
    {what: 'swells', harm: 'const all = []; for (;;) all.push(Buffer.alloc(16e6, 1));', sentence: 'ran out of memory'},
    {what: 'is killed', harm: "process.kill(process.pid, 'SIGKILL');", sentence: 'was killed'},
    {what: 'hangs', harm: 'for (;;);', sentence: 'stopped responding'},
  ])(
    'an engine that $what says so in one sentence, and the profile is back with the next question',
    async ({what, harm, sentence}) => {
      const programPath = harmedEngine(what.replace(' ', '-'), harm);
      // It takes a slow machine a while to fill its memory.
      const silence = {askedMs: what === 'hangs' ? 12_000 : 120_000, cancelledMs: 500};
      const engine = start({programPath, silence, settings: () => ({memoryLimitBytes: 1e6, cache: null})});
      const {id} = await engine.ask('profile/open', {path: sample});
      const details = await engine.ask('slice/details', {profile: id, slice: 0});
      await expect(engine.ask('range/places', {profile: id, patterns: [['train_step']]})).rejects.toMatchObject({
        code: 'rpc/closed',
        message: expect.stringContaining(`${sentence} while reading train.pt.trace.json.gz`) as string,
      });
      expect(await engine.ask('slice/details', {profile: id, slice: 0})).toEqual(details);
    },
  );

  it('ends an engine that is not free soon after a cancel, and opens the next profile', async () => {
    const programPath = harmedEngine('hangs-with-others', 'for (;;);');
    const engine = start({programPath, silence: {askedMs: 120_000, cancelledMs: 300}});
    const {id} = await engine.ask('profile/open', {path: sample});
    const hanging = expect(engine.ask('range/places', {profile: id, patterns: [['x']]})).rejects.toThrow();
    const cancel = new AbortController();
    const opening = expect(engine.open({path: sample}, {signal: cancel.signal})).rejects.toMatchObject({
      code: 'import/cancelled',
    });
    cancel.abort();
    await opening;
    await hanging;
    expect(lost.at(-1)).toContain('stopped responding');
    const {info} = await engine.ask('profile/open', {path: sample});
    expect(info.format).toBe('kineto');
  });

  it('ends with the process that started it', async () => {
    const starter = join(folder, 'starter.cjs');
    writeFileSync(
      starter,
      `const {fork} = require('node:child_process');
      const engine = fork(${JSON.stringify(program)}, [String(process.pid)], {serialization: 'advanced'});
      engine.send({settings: {memoryLimitBytes: null, cache: null}, profiles: []});
      engine.send({kind: 'request', id: 1, method: 'engine/alive', params: {}});
      engine.on('message', () => {
        process.stdout.write(String(engine.pid));
        process.kill(process.pid, 'SIGKILL');
      });`,
    );
    const {stdout} = spawnSync(process.execPath, [starter], {encoding: 'utf8'});
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    await expect
      .poll(() => existsSync(`/proc/${String(pid)}/cmdline`) && readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8'))
      .toBeFalsy();
  });

  it('ends if the process that started it had ended before it began', async () => {
    const {pid} = spawnSync(process.execPath, ['--version']);
    const engine = fork(program, [String(pid)], {serialization: 'advanced'});
    const ended = once(engine, 'exit');
    const start: EngineStart = {settings: {memoryLimitBytes: null, cache: null}, profiles: []};
    engine.send(start);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('starts no process to close a profile or to change settings, and tells one that runs', async () => {
    const engine = start({programPath: join(folder, 'none.cjs')});
    await engine.ask('profile/close', {profile: 1});
    await engine.configure();
    const running = start();
    const {id} = await running.ask('profile/open', {path: sample});
    await running.configure();
    expect(await running.ask('slice/details', {profile: id, slice: 0})).not.toBeNull();
  });

  it('rejects what is asked when it was disposed', async () => {
    const engine = start();
    const asked = expect(engine.ask('profile/open', {path: sample})).rejects.toMatchObject({code: 'rpc/closed'});
    engine.dispose();
    await asked;
  });
});
