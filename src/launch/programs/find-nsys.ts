import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {findOnPath, isProgram} from './find-program.js';

/** Where to look for Nsight Systems. */
export interface NsysHints {
  /** The setting `gpuLens.nsys`. */
  readonly setting: string | null;
  /** The setting's name in messages; `gpuLens.nsys` by default. */
  readonly settingName?: string;
  /** The PATH to search; by default this process's. */
  readonly searchPath?: string;
  /** Folders of installations; by default the usual ones. */
  readonly installFolders?: readonly string[];
}

const isWindows = process.platform === 'win32';
const program = isWindows ? 'nsys.exe' : 'nsys';

/** Folders whose subfolders are versions of Nsight Systems, or of products that include it. */
const usualFolders = isWindows
  ? [join(process.env['ProgramFiles'] ?? 'C:\\Program Files', 'NVIDIA Corporation')]
  : ['/opt/nvidia/nsight-systems', '/opt/nvidia/nsight-systems-cli', '/usr/local', '/usr/lib'];

/** Possible places of the program in such a subfolder. */
const placesInside = [
  'bin',
  'target-linux-x64',
  'target-linux-sbsa-armv8',
  'target-windows-x64',
  join('nsight-systems', 'bin'),
];

/**
 * Returns the `nsys` to use: the setting's, else the one on PATH, else the newest in the usual folders; null if there
 * is
 * none.
 *
 * @throws TraceError `launch/no-nsys` if the setting names no program
 */
export async function findNsys(hints: NsysHints): Promise<string | null> {
  const {setting, settingName = 'the setting gpuLens.nsys', searchPath, installFolders = usualFolders} = hints;
  if (setting !== null) {
    for (const path of [setting, join(setting, program)]) if (await isProgram(path)) return path;
    throw new TraceError('launch/no-nsys', `${setting}, which ${settingName} names, is not a program.`);
  }
  return (await findOnPath(program, searchPath)) ?? (await findInstalled(installFolders));
}

async function findInstalled(folders: readonly string[]): Promise<string | null> {
  const found: {readonly path: string; readonly version: string}[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder).catch(() => [])).filter(name => /nsight|cuda|^\d{4}\./i.test(name));
    for (const name of names) {
      const path = await programIn(join(folder, name));
      if (path !== null) found.push({path, version: await versionOf(folder, name)});
    }
  }
  // By version, the newest first; unknown versions come last.
  found.sort((a, b) => b.version.localeCompare(a.version, 'en', {numeric: true}));
  return found[0]?.path ?? null;
}

async function programIn(folder: string): Promise<string | null> {
  for (const place of placesInside) {
    const path = join(folder, place, program);
    if (await isProgram(path)) return path;
  }
  return null;
}

/**
 * Returns the version in an installation's name: "2024.6.2" or "Nsight Systems 2024.6.2". A CUDA toolkit has the
 * version of the nsys folder it includes, else its own, which orders toolkits about which nothing else is known.
 */
async function versionOf(folder: string, name: string): Promise<string> {
  const own = year.exec(name)?.[0];
  if (own !== undefined) return own;
  const inside = await readdir(join(folder, name)).catch(() => []);
  const brought = inside.map(entry => (/nsight/i.test(entry) ? year.exec(entry)?.[0] : undefined)).find(Boolean);
  return brought ?? `0 ${name}`;
}

const year = /\b20\d\d(?:\.\d+)+/;
