import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {canRead} from '../../../src/core/trace/nsys-report.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {exportReport, reportVersion} from '../../../src/launch/nsys/export-report.js';
import {partialExport} from '../../../src/launch/nsys/report-cache.js';
import {findNsys} from '../../../src/launch/programs/find-nsys.js';
import {patience} from '../../support/patience.js';
import {project, temporaryFolder} from '../../support/project.js';
import {writeStandInNsys} from '../../support/stand-in-nsys.js';

const folder = temporaryFolder();
const nowhere = {setting: null, searchPath: '', installFolders: []};
const sqlite = join(folder, 'worked.sqlite');
const db = new Database(sqlite);
db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8'));
db.close();

function report(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, 'NVIDIA Tegra Profiler Report 2024@6@2@225-246\0');
  return path;
}

describe('findNsys(hints)', () => {
  const onPath = writeStandInNsys(join(folder, 'path', 'nsys'), '2024.1.1', null);
  const install = join(folder, 'nsight-systems');
  writeStandInNsys(join(install, '2024.10.1', 'bin', 'nsys'), '2024.10.1', null);
  writeStandInNsys(join(install, '2024.9.1', 'bin', 'nsys'), '2024.9.1', null);

  it('takes the setting’s, then that on PATH, then the newest that is installed', async () => {
    const hints = {setting: null, searchPath: join(folder, 'path'), installFolders: [install]};
    expect(await findNsys({...hints, setting: join(install, '2024.9.1', 'bin')})).toBe(
      join(install, '2024.9.1', 'bin', 'nsys'),
    );
    expect(await findNsys(hints)).toBe(onPath);
    expect(await findNsys({...hints, searchPath: ''})).toBe(join(install, '2024.10.1', 'bin', 'nsys'));
    expect(await findNsys(nowhere)).toBeNull();
    // A CUDA toolkit brings an older one along, a newer one lies in another folder.
    const [toolkits, others] = [join(folder, 'local'), join(folder, 'opt')];
    writeStandInNsys(join(toolkits, 'cuda-13.0', 'bin', 'nsys'), '2024.10.3', null);
    mkdirSync(join(toolkits, 'cuda-13.0', 'nsight-systems-2024.10.3'));
    const installFolders = [toolkits, install, others];
    const found = () => findNsys({...nowhere, installFolders});
    expect(await found()).toBe(join(toolkits, 'cuda-13.0', 'bin', 'nsys'));
    const newest = writeStandInNsys(join(others, 'Nsight Systems 2025.1.1', 'bin', 'nsys'), '2025.1.1', null);
    expect(await found()).toBe(newest);
    // Of one that tells no version all that is known is that it is there.
    const plain = writeStandInNsys(join(folder, 'lib', 'nsight-systems', 'bin', 'nsys'), '2022.4.2', null);
    installFolders.unshift(join(folder, 'lib'));
    expect(await found()).toBe(newest);
    installFolders.splice(1);
    expect(await found()).toBe(plain);
    await expect(findNsys({...nowhere, setting: '/no/nsys'})).rejects.toThrow(
      '/no/nsys, which the setting gpuLens.nsys names, is not a program.',
    );
  });
});

describe('exportReport(path, version, options)', () => {
  const cacheFolder = join(folder, 'cache');
  const using = (nsys: string) => ({nsys: {...nowhere, setting: nsys}, cacheFolder});

  it('exports a report once, with progress', async () => {
    const path = report('once.nsys-rep');
    const nsys = writeStandInNsys(join(folder, 'once', 'nsys'), '2025.1.1', sqlite);
    const fractions: number[] = [];
    const version = (await reportVersion(path)) ?? '';
    expect(version).toBe('2024.6.2');
    const exported = await exportReport(path, version, {...using(nsys), onProgress: part => fractions.push(part)});
    expect(fractions.at(-1)).toBe(1);
    expect((await openTrace(exported)).counts.kernels).toBe(2);
    expect(await exportReport(path, version, using('/gone/nsys'))).toBe(exported);
    expect(readdirSync(cacheFolder).filter(name => name.includes('partial'))).toEqual([]);
  });

  it.each([
    [
      'missing.nsys-rep',
      nowhere,
      'missing.nsys-rep is a report that only nsys can read, and none was found: install Nsight Systems 2024.6.2 or later or set gpuLens.nsys; or where it is installed, run nsys export --type sqlite "missing.nsys-rep" and open the .sqlite file.',
    ],
    [
      'old.nsys-rep',
      {...nowhere, setting: writeStandInNsys(join(folder, 'old', 'nsys'), '2022.4.2', sqlite)},
      `old.nsys-rep was written by Nsight Systems 2024.6.2, and ${join(folder, 'old', 'nsys')} is 2022.4.2: Nsight Systems 2024.6.2 or later is needed; where it is installed, run nsys export --type sqlite "old.nsys-rep" and open the .sqlite file.`,
    ],
    [
      'bad.nsys-rep',
      {...nowhere, setting: writeStandInNsys(join(folder, 'bad', 'nsys'), '2025.1.1', null)},
      `bad.nsys-rep could not be exported by ${join(folder, 'bad', 'nsys')}: Exportation error: Version number is invalid`,
    ],
  ])('says in one sentence why not: %s', async (name, nsys, sentence) => {
    await expect(exportReport(report(name), '2024.6.2', {nsys, cacheFolder})).rejects.toThrow(sentence);
  });

  it('writes a file of its own in each of two calls at once', async () => {
    const path = report('twice.nsys-rep');
    const goOn = join(folder, 'twice', 'go-on');
    const nsys = writeStandInNsys(join(folder, 'twice', 'nsys'), '2025.1.1', sqlite, goOn);
    let waiting = 0;
    const onProgress = (fraction: number) => {
      // Both have begun: the stand-ins wait at 10 %.
      if (fraction === 0.1 && ++waiting === 2) writeFileSync(goOn, '');
    };
    const both = [1, 2].map(() => exportReport(path, '2024.6.2', {...using(nsys), onProgress}));
    const [first, second] = await Promise.all(both);
    expect(first).toBe(second);
    const outputs = readFileSync(join(folder, 'twice', 'nsys.outputs'), 'utf8')
      .trim()
      .split('\n');
    expect(new Set(outputs).size).toBe(2);
  });

  it('keeps what a live export, here or on another machine, has written, and removes what ended ones left', async () => {
    const path = report('beside.nsys-rep');
    const nsys = writeStandInNsys(join(folder, 'beside', 'nsys'), '2025.1.1', sqlite);
    const own = partialExport(join(cacheFolder, 'other.sqlite'));
    const {pid} = spawnSync(process.execPath, ['--version']);
    const ended = own.replace(`-${String(process.pid)}-`, `-${String(pid)}-`);
    const elsewhere = ended.replace(/\.[0-9a-f]{8}-/, '.00000000-');
    const old = elsewhere.replace('other', 'older');
    for (const partial of [own, ended, elsewhere, old]) writeFileSync(partial, '');
    utimesSync(old, 10, 10);
    await exportReport(path, '2024.6.2', using(nsys));
    expect([own, ended, elsewhere, old].map(partial => existsSync(partial))).toEqual([true, false, true, false]);
    rmSync(own);
    rmSync(elsewhere);
  });

  it('ends nsys when it is cancelled, and leaves nothing behind', async () => {
    const nsys = writeStandInNsys(join(folder, 'slow', 'nsys'), '2025.1.1', sqlite, join(folder, 'never'));
    const controller = new AbortController();
    const exporting = exportReport(report('slow.nsys-rep'), '2024.6.2', {
      ...using(nsys),
      signal: controller.signal,
      onProgress: () => {
        controller.abort();
      },
    });
    await expect(exporting).rejects.toMatchObject({code: 'import/cancelled'});
    expect(readdirSync(cacheFolder).filter(name => name.includes('partial'))).toEqual([]);
  });
});

it('canRead(reader, writer) compares year and release', () => {
  expect(canRead('2024.6.1', '2024.6.2')).toBe(true);
  expect(canRead('2024.10.1', '2024.9.2')).toBe(true);
  expect(canRead('2023.4.4', '2024.1.1')).toBe(false);
  expect(canRead('', '2024.1.1')).toBe(true);
  expect(canRead('2022.4.2', '')).toBe(true);
});

const nsysVersion = spawnSync('nsys', ['--version'], {encoding: 'utf8'});
const hasNsys = nsysVersion.status === 0;
if (!hasNsys) console.warn('Skipped: there is no nsys on PATH to record and export a real report.');

it.skipIf(!hasNsys)(
  'reads what a real nsys has recorded',
  async () => {
    const home = join(folder, 'real');
    mkdirSync(home);
    const out = join(home, 'report');
    const profile = [
      'profile',
      '--trace',
      'osrt',
      '--sample',
      'none',
      '--cpuctxsw',
      'none',
      '--output',
      out,
      'sleep',
      '0.2',
    ];
    execFileSync('nsys', profile, {stdio: 'pipe', timeout: patience.timeout});
    const path = `${out}.nsys-rep`;
    // Debian's nsys does not find its own importer.
    const importer = '/usr/lib/nsight-systems/host-linux-x64/QdstrmImporter';
    if (!existsSync(path)) execFileSync(importer, ['-i', `${out}.qdstrm`, '-o', path], {stdio: 'pipe'});
    const version = await reportVersion(path);
    expect(version).not.toBeNull();
    const exported = await exportReport(path, version ?? '', {nsys: {setting: null}, cacheFolder: join(home, 'cache')});
    const {meta, slices} = await openTrace(exported);
    expect(meta.profiler).toBe('Nsight Systems');
    expect(nsysVersion.stdout).toContain(meta.version ?? '?');
    expect(slices.length).toBeGreaterThan(0);
  },
  200_000,
);
