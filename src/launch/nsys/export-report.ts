import {mkdir, rename, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {canRead, exportCommand, nsysReportVersion} from '../../core/trace/nsys-report.js';
import {findNsys, type NsysHints} from '../programs/find-nsys.js';
import {nsysFailure} from './nsys-failure.js';
import {keyOf, partialExport, prune, touch} from './report-cache.js';
import {readRegularFile} from '../programs/regular-file.js';
import {runTool, type ToolOptions} from './run-tool.js';
import {usualSilenceSeconds} from './silence-limit.js';
import type {ProgramEnd} from '../programs/run-program.js';

export interface ExportOptions {
  readonly nsys: NsysHints;
  /** The folder of cached exports: each report is exported once. */
  readonly cacheFolder: string;
  /** How long nsys may neither write nor end; 0 for no limit. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Returns the version in the header of an Nsight Systems report ("" if it has none), null for any other file. */
export function reportVersion(path: string): Promise<string | null> {
  return readRegularFile(path, async file => {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(256), 0, 256, 0);
    return nsysReportVersion(buffer.subarray(0, bytesRead));
  });
}

/**
 * Returns the path of a report's SQLite export. If it is not cached, the user's own `nsys` makes it.
 *
 * @param version the result of `reportVersion` for this file
 * @throws TraceError `launch/no-nsys`, `launch/nsys-too-old`, `launch/nsys-failed`, `import/cancelled`: one sentence
 * with the version that is needed and the command to run on a machine that has it
 */
export async function exportReport(path: string, version: string, options: ExportOptions): Promise<string> {
  await mkdir(options.cacheFolder, {recursive: true});
  const cached = join(options.cacheFolder, `${await keyOf(path)}.sqlite`);
  if (await touch(cached)) return cached;
  const nsys = await findReader(path, version, options);
  const partial = partialExport(cached);
  const args = ['export', '--type', 'sqlite', '--force-overwrite', 'true', '--output', partial, path];
  try {
    const {status, output} = await runNsys(path, nsys, args, {
      signal: options.signal,
      limitMs: limitOf(options),
      output: partial,
      onOutput: text => {
        const percent = /(\d+)%[^%]*$/.exec(text)?.[1];
        if (percent !== undefined) options.onProgress?.(Number(percent) / 100);
      },
    });
    if (status !== 0) throw exportFailure(path, nsys, output);
    await rename(partial, cached).catch((error: unknown) => {
      throw exportFailure(path, nsys, error instanceof Error ? error.message : String(error));
    });
  } finally {
    await rm(partial, {force: true});
  }
  await prune(options.cacheFolder, cached);
  return cached;
}

async function findReader(path: string, version: string, options: ExportOptions): Promise<string> {
  const {nsys, signal} = options;
  const name = basename(path);
  const elsewhere = `where it is installed, run ${exportCommand(name)} and open the .sqlite file`;
  const wanted = version === '' ? 'Nsight Systems' : `Nsight Systems ${version} or later`;
  const found = await findNsys(nsys);
  if (found === null) {
    throw new TraceError(
      'launch/no-nsys',
      `${name} is a report that only nsys can read, and none was found: install ${wanted} or set gpuLens.nsys; or ${elsewhere}.`,
    );
  }
  const {output} = await runNsys(path, found, ['--version'], {signal, limitMs: limitOf(options)});
  const own = /version (\d+\.\d+\.\d+)/.exec(output)?.[1] ?? '';
  if (canRead(own, version)) return found;
  throw new TraceError(
    'launch/nsys-too-old',
    `${name} was written by Nsight Systems ${version}, and ${found} is ${own}: ${wanted} is needed; ${elsewhere}.`,
  );
}

function limitOf({limitMs = usualSilenceSeconds * 1000}: ExportOptions): number {
  return limitMs;
}

/** A program that cannot be started counts as failed. */
async function runNsys(path: string, nsys: string, args: readonly string[], options: ToolOptions): Promise<ProgramEnd> {
  try {
    return await runTool(nsys, args, options);
  } catch (error) {
    if (error instanceof TraceError) throw error;
    throw exportFailure(path, nsys, error instanceof Error ? error.message : String(error));
  }
}

function exportFailure(path: string, nsys: string, output: string): TraceError {
  return nsysFailure(`${basename(path)} could not be exported by ${nsys}`, output);
}
