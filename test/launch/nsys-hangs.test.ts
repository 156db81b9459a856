import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {exportReport} from '../../src/launch/export-report.js';
import {leftReport} from '../../src/launch/nsys/finish-report.js';
import {keepRawEvents, rawEventsIn} from '../../src/launch/nsys/raw-events.js';
import {hungSentence} from '../../src/launch/nsys/silence-limit.js';
import {runProfile} from '../../src/launch/profile-run.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeReplayingNsys, type ReplayFaults} from '../support/replaying-nsys.js';

const folder = temporaryFolder();
const recorded = join(folder, 'recorded.sqlite');
writeFileSync(recorded, 'an export');
/** Time enough for a shell that has to wait for its turn, on a machine with other things to do. */
const limitMs = 2000;
const limit = `${String(limitMs / 1000)} s`;
let runs = 0;

/** Profiles a shell's line under a stand-in that hangs somewhere; what it leaves running is looked for by its folder. */
async function hang(faults: ReplayFaults, line = 'true', signal = new AbortController().signal, nsysLimitMs = limitMs) {
  const home = join(folder, `stand-in ${String(++runs)} ä`);
  const temporary = join(home, 'temporary');
  mkdirSync(temporary, {recursive: true});
  const request = {
    ...({profiler: 'nsys', name: 'my bench', command: ['sh', '-c', line], cwd: folder} as const),
    ...{env: {...process.env, TMPDIR: temporary}, root: folder, output: join(home, 'runs'), recording: {}},
    ...{timesSteps: false, capture: 'run', nsysOptions: [], timedRuns: 0, launchTemplate: null},
  };
  const surroundings = {
    ...({runner: join(project, 'src', 'runner'), python: null, stdout: 'stderr', nsysLimitMs} as const),
    nsys: {setting: writeReplayingNsys(home, recorded, faults)},
    ...{signal, abandon: new AbortController().signal, onProgress: () => undefined, onNoStep: () => undefined},
  };
  const ending = await runProfile(request, surroundings, () => undefined).then(
    result => ({result, error: null}),
    (error: unknown) => ({result: null, error}),
  );
  return {...ending, temporary, left: processesIn(home)};
}

/** Command lines of processes that name a folder. */
function processesIn(home: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter(line => line.includes(home));
}

// What a process does is told by /proc.
describe.skipIf(process.platform !== 'linux')('an nsys that hangs', {timeout: 60_000}, () => {
  const sentence = `nsys hung: with nothing of my bench running any more it neither wrote nor ended for ${limit}, and was ended; try again, or set gpuLens.nsysLimitSeconds (GPU_LENS_NSYS_LIMIT) higher if it needs longer.`;

  it('behind its target is ended, and its report is kept and exported', async () => {
    const {result, left} = await hang({hangs: 'profile', hangsWith: 'report'});
    expect(result).toMatchObject({
      ...{status: null, isCancelled: false, profiles: [{kind: 'nsys'}]},
      sentences: [sentence],
    });
    expect(readFileSync(result?.profiles[0]?.path ?? '', 'utf8')).toBe('an export');
    expect(left).toEqual([]);
  });

  it('before it has imported its events has them imported from where it collected them', async () => {
    const faults = {hangs: 'profile', hangsWith: 'temporary', raw: 'with-importer'} as const;
    const {result, left, temporary} = await hang(faults);
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(readdirSync(temporary)).toEqual([]);
    expect(left).toEqual([]);
  });

  it('in the midst of its import has its events imported anew', async () => {
    const faults = {hangs: 'profile', hangsWith: 'half-report', raw: 'with-importer'} as const;
    const {result, left} = await hang(faults);
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(left).toEqual([]);
  });

  it('without a report says both', async () => {
    const {result, left} = await hang({hangs: 'profile'});
    expect(result).toMatchObject({profiles: [], sentences: [sentence, 'nsys ended without a report.']});
    expect(left).toEqual([]);
  });

  it('waits for its program for as long as that runs', async () => {
    const {result, left} = await hang({}, `sleep ${String((2.5 * limitMs) / 1000)}`);
    expect(result).toMatchObject({status: 0, profiles: [{kind: 'nsys'}], sentences: []});
    expect(left).toEqual([]);
  });

  it('in the export or in the importer is ended, and what it recorded is kept', async () => {
    const said = await hang({hangs: 'export'});
    expect(said.result).toMatchObject({
      ...{status: 0, profiles: []},
      sentences: [
        expect.stringMatching(
          new RegExp(`^nsys export hung: it neither wrote nor ended for ${limit}, and was ended; `),
        ),
      ],
    });
    expect(said.left).toEqual([]);
    const {result, left} = await hang({hangs: 'importer', raw: 'with-importer'});
    expect(result).toMatchObject({profiles: [], sentences: [expect.stringMatching(/^QdstrmImporter hung: /)]});
    expect(left).toEqual([]);
  });

  it('before it runs anything is ended', async () => {
    const {error, left} = await hang({hangs: 'version'});
    expect(error).toMatchObject({code: 'launch/nsys-failed', message: expect.stringMatching(/^nsys hung: /) as string});
    expect(left).toEqual([]);
  });

  it('and is cancelled leaves no process, and what it had recorded', async () => {
    for (const hangs of ['profile', 'export', 'version'] as const) {
      const stop = new AbortController();
      setTimeout(() => {
        stop.abort();
      }, 600);
      const abandoned = hangs === 'export' ? 1500 : 0;
      const {result, error, left} = await hang({hangs, hangsWith: 'report'}, 'true', stop.signal, abandoned);
      expect(left).toEqual([]);
      if (hangs === 'profile') expect(result).toMatchObject({isCancelled: true, profiles: [{kind: 'nsys'}]});
      if (hangs === 'export') expect(result).toMatchObject({isCancelled: true, profiles: []});
      if (hangs === 'version') expect(error).toMatchObject({code: 'import/cancelled'});
    }
  });

  it('and never listens is made to end', async () => {
    const {result, left} = await hang({hangs: 'profile', hangsWith: 'report', isDeaf: true});
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(left).toEqual([]);
  });

  it('while it exports a report of elsewhere is ended', async () => {
    const home = join(folder, 'elsewhere');
    const report = join(folder, 'elsewhere.nsys-rep');
    writeFileSync(report, 'NVIDIA Tegra Profiler Report 2024@6@2@225-246\0');
    const nsys = {setting: writeReplayingNsys(home, recorded, {hangs: 'export'})};
    const exporting = exportReport(report, '2024.6.2', {nsys, cacheFolder: join(folder, 'cache'), limitMs});
    await expect(exporting).rejects.toThrow(
      `nsys export hung: it neither wrote nor ended for ${limit}, and was ended; `,
    );
    expect(processesIn(home)).toEqual([]);
    expect(readdirSync(join(folder, 'cache'))).toEqual([]);
  });
});

it('hungSentence(name, limitMs, options) names CPU sampling where it was asked for', () => {
  expect(hungSentence('b', 120_000, ['--sample=cpu'])).toContain(
    'for 120 s, and was ended; nsys is known to hang with',
  );
  expect(hungSentence('b', 120_000, ['--sample=none'])).toContain('try again, or set');
});

it('keepRawEvents takes nothing that the program may have named', async () => {
  const home = join(folder, 'kept');
  const base = join(home, 'profile');
  const temporary = join(home, 'temporary');
  const named = async (path: string, before: ReadonlySet<string> = new Set()) => {
    mkdirSync(temporary, {recursive: true});
    writeFileSync(path, 'mine');
    await keepRawEvents(`Generating '${path}'\n`, base, before, temporary);
    return readdirSync(home).includes(basename(`${base}.qdstrm`));
  };
  mkdirSync(home);
  expect(await named(join(home, 'nsys-report-1.qdstrm'))).toBe(false);
  expect(await named(join(temporary, 'other.qdstrm'))).toBe(false);
  expect(await named(join(temporary, 'temporary-nsys-report-1.qdstrm'))).toBe(false);
  const path = join(temporary, 'nsys-report-1.qdstrm');
  writeFileSync(path, "another run's");
  const before = await rawEventsIn(temporary);
  expect(before).toContain(path);
  expect(await named(path, before)).toBe(false);
  expect(await named(join(temporary, 'nsys-report-2.qdstrm'), before)).toBe(true);
});

it('rawEventsIn looks where temporary files are, and not in the working folder where TMPDIR is empty', async () => {
  const home = join(folder, 'working');
  mkdirSync(home);
  writeFileSync(join(home, 'nsys-report-1.qdstrm'), 'mine');
  writeFileSync(join(home, 'other.qdstrm'), 'mine');
  expect(await rawEventsIn(home)).toContain(join(home, 'nsys-report-1.qdstrm'));
  expect(await rawEventsIn(home)).not.toContain(join(home, 'other.qdstrm'));
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(home);
  expect(await rawEventsIn('')).not.toContain(join(home, 'nsys-report-1.qdstrm'));
  cwd.mockRestore();
});

it('keepRawEvents says where they are when they cannot be copied, and leftReport(base) what there is', async () => {
  const home = join(folder, 'full');
  const base = join(home, 'profile');
  const path = join(home, 'nsys-report-1.qdstrm');
  mkdirSync(home);
  writeFileSync(path, 'mine');
  const [said] = await keepRawEvents(`Generating '${path}'\n`, join(home, 'nowhere', 'profile'), new Set(), home);
  expect(said).toContain(`What nsys collected is at ${path}: `);
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(await leftReport(base)).toBeNull();
  expect(await keepRawEvents(`Generating '${path}'\n`, base, new Set(), home)).toEqual([]);
  expect(await leftReport(base)).toBe(`${base}.qdstrm`);
});
