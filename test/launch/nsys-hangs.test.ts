import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {exportReport} from '../../src/launch/nsys/export-report.js';
import {leftReport} from '../../src/launch/nsys/finish-report.js';
import {keepRawEvents, rawEventsIn} from '../../src/launch/nsys/raw-events.js';
import {hungSentence} from '../../src/launch/nsys/silence-limit.js';
import {hang, limit, limitMs, processesIn, sentence} from '../support/hanging-nsys.js';
import {temporaryFolder} from '../support/project.js';
import {writeReplayingNsys} from '../support/replaying-nsys.js';

const folder = temporaryFolder();

// What a process does is told by /proc.
describe.skipIf(process.platform !== 'linux')('an nsys that hangs', () => {
  it('behind its target is ended, and its report is kept and exported', async () => {
    const {result, left} = await hang(folder, {hangs: 'profile', hangsWith: 'report'});
    expect(result).toMatchObject({
      ...{status: null, isCancelled: false, profiles: [{kind: 'nsys'}]},
      sentences: [sentence],
    });
    expect(readFileSync(result?.profiles[0]?.path ?? '', 'utf8')).toBe('an export');
    expect(left).toEqual([]);
  });

  it('before it runs anything is ended', async () => {
    const {error, left} = await hang(folder, {hangs: 'version'});
    expect(error).toMatchObject({code: 'launch/nsys-failed', message: expect.stringMatching(/^nsys hung: /) as string});
    expect(left).toEqual([]);
  });

  it('while it exports a report of elsewhere is ended', async () => {
    const home = join(folder, 'elsewhere');
    const report = join(folder, 'elsewhere.nsys-rep');
    const recorded = join(folder, 'recorded.sqlite');
    writeFileSync(recorded, 'an export');
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
