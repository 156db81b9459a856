import {readFile, readlink} from 'node:fs/promises';
import {basename} from 'node:path';
import {processesOf} from '../programs/process-tree.js';

/** Programs of an installation of Nsight Systems that take part in recording. */
const ownPrograms = /^(nsys|QdstrmImporter)/i;

/** What is written to keep a connection alive is less than that. */
const heartbeatBytes = 64 * 1024;

/**
 * What changes with everything that nsys does: its processes, and the bytes that they wrote. Null while a process of the
 * program is there, which nsys rightly waits for, and where the system does not tell (it is Linux that does).
 *
 * @param pid that of nsys
 * @param mark `NAME=value`, in the environment of every process of the run
 */
export async function signOfLife(pid: number, mark: string): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const processes = await processesOf(pid, mark);
  for (const one of processes) if (one !== pid && !(await isOwn(one))) return null;
  const writtenBytes = await Promise.all(processes.map(writtenBy));
  const total = writtenBytes.reduce((sum, bytes) => sum + bytes, 0);
  return `${processes.join(' ')}: ${String(Math.floor(total / heartbeatBytes))}`;
}

async function isOwn(pid: number): Promise<boolean> {
  const path = await readlink(`/proc/${String(pid)}/exe`).catch(() => '');
  return ownPrograms.test(basename(path));
}

/** Bytes that a process has written to anything; 0 where it has gone or may not be looked at. */
async function writtenBy(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/io`, 'utf8').catch(() => '');
  return Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0);
}
