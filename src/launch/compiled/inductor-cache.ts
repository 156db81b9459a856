import {pushAll} from '../../core/table/extremes.js';
import {readdir} from 'node:fs/promises';
import {dirname, isAbsolute, join} from 'node:path';
import type {CompiledGraphs} from '../../core/questions/compiled-graphs.js';
import {kernelSitesOf} from '../../core/source/compiled-graph.js';
import type {KernelSite} from '../../core/source/sidecar.js';
import {readRegularFile} from '../programs/regular-file.js';

/** One graph is kept per set of guards; a folder with more than a few is not Inductor's. */
const mostFiles = 16;
/** Includes the binaries of the kernels, which Inductor bundles. */
const longestBytes = 32 << 20;
/** Limit for all graphs together: a profile is shown only once they are read. */
const mostBytes = 128 << 20;

/** `<cache>/mw/cmwjlp….py`, Inductor's path of a kernel's file: the folder is named after two letters of the digest. */
const kernelFileForm = /[\\/]([a-z0-9]{2})[\\/]c\1[a-z0-9]{20,100}\.py$/;

/**
 * Returns the source lines of compiled kernels from Inductor's cache on this machine. With each graph, the cache keeps
 * the code that calls its kernels, whose comments name the nodes fused in each, and the graph itself, whose comments
 * name the line of each node. Empty if the cache is gone or lacks the graph (older PyTorch kept none; 2.13 does).
 *
 * The profile is not trusted: files are read as text and never unpickled. Only files in Inductor's folders for the
 * graphs that the profile names are read, and none of another machine (a network share's path).
 */
export async function kernelSitesInCache({kernelFile, keys}: CompiledGraphs): Promise<KernelSite[]> {
  if (!isAbsolute(kernelFile) || /^[\\/]{2}/.test(kernelFile) || !kernelFileForm.test(kernelFile)) return [];
  const cache = dirname(dirname(kernelFile));
  const sites: KernelSite[] = [];
  let left = mostBytes;
  for (const key of keys) {
    const folder = join(cache, 'fxgraph', key.slice(1, 3), key);
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort().slice(0, mostFiles)) {
      const bytes = await bytesIn(join(folder, name), Math.min(left, longestBytes));
      left -= bytes?.length ?? 0;
      if (bytes) pushAll(sites, kernelSitesOfGraph(bytes));
    }
  }
  return sites;
}

async function bytesIn(path: string, atMost: number): Promise<Buffer | null> {
  return readRegularFile(path, (file, bytes) => (bytes <= atMost ? file.readFile() : Promise.resolve(null)));
}

/** Returns the lines of a graph's kernels from its file in Inductor's cache; empty for any other file. */
export function kernelSitesOfGraph(pickled: Buffer): KernelSite[] {
  const code = pickledText(pickled, 'source_code');
  const graph = pickledText(pickled, 'inductor_post_grad_graph_str');
  return kernelSitesOf(code, [graph], pickledText(pickled, 'inductor_provenance_mapping_str'));
}

const [shortText, text, frame, memo] = [0x8c, 0x58, 0x95, 0x94];

/**
 * Returns the text of an attribute in a pickle, "" if it is absent. The name is a short text; the value follows as a
 * text whose length is one or four bytes. Memo numbers and frame headers may come between.
 *
 * @see Lib/pickletools.py, SHORT_BINUNICODE, BINUNICODE, MEMOIZE, FRAME
 */
export function pickledText(pickled: Buffer, name: string): string {
  const key = Buffer.concat([Buffer.from([shortText, name.length]), Buffer.from(name)]);
  const found = pickled.indexOf(key);
  if (found < 0) return '';
  let at = found + key.length;
  if (pickled[at] === memo) at += 1;
  if (pickled[at] === frame) at += 9;
  const lengthBytes = pickled[at] === text ? 4 : pickled[at] === shortText ? 1 : 0;
  const begin = at + 1 + lengthBytes;
  if (lengthBytes === 0 || begin > pickled.length) return '';
  const length = pickled.readUIntLE(at + 1, lengthBytes);
  return pickled.toString('utf8', begin, Math.min(begin + length, pickled.length));
}
