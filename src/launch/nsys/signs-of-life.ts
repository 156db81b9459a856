import {readFile, readlink} from 'node:fs/promises';
import {basename} from 'node:path';
import {processesOf} from '../programs/process-tree.js';

/** Nsight Systems programs that take part in recording. */
const ownPrograms = /^(nsys|QdstrmImporter)/i;

/** Writes that only keep a connection alive are smaller than this. */
const heartbeatBytes = 64 * 1024;

/**
 * Returns a text that changes with everything nsys does: its processes, and the bytes they wrote. Null while a process
 * of the program runs, since nsys is right to wait for it, and on systems other than Linux, which do not tell.
 *
 * @param pid the process id of nsys
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

/** Returns the bytes that a process has written in all; 0 if it has ended or may not be inspected. */
async function writtenBy(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/io`, 'utf8').catch(() => '');
  return Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0);
}
