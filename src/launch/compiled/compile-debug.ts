import {pushAll} from '../../core/table/extremes.js';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {CompiledGraphs} from '../../core/questions/compiled-graphs.js';
import {kernelSitesOf} from '../../core/source/compiled-graph.js';
import type {KernelSite, Sidecar} from '../../core/source/sidecar.js';
import {kernelSitesInCache} from './inductor-cache.js';
import {readRegularFile} from '../programs/regular-file.js';

const debugFolder = 'torch_compile_debug';
const graphFiles = ['fx_graph_transformed.py', 'fx_graph_readable.py'] as const;
const mappingsFile = 'inductor_provenance_tracking_node_mappings.json';
/** A model has some dozens of graphs; a folder with more is not Inductor's. */
const mostGraphs = 500;
const longestBytes = 8 << 20;
/** Limit for all graphs together: a profile is shown only once they are read. */
const mostBytes = 64 << 20;

/**
 * Returns the source lines of compiled kernels. They come from the runner's notes beside the trace, else from the
 * output of a run with TORCH_COMPILE_DEBUG=1 in the trace's folder or its parent, else from Inductor's cache. A trace
 * does not say which debug run was its own: the run whose process id is in the trace's name is used, as
 * `tensorboard_trace_handler` writes it, else the last.
 *
 * @param graphs returns where, by the trace, its graphs are kept
 */
export async function kernelSitesBeside(
  tracePath: string,
  sidecar: Sidecar | null,
  graphs: () => Promise<CompiledGraphs | null> = () => Promise.resolve(null),
): Promise<readonly KernelSite[]> {
  if (sidecar && sidecar.kernels.length > 0) return sidecar.kernels;
  const folder = dirname(tracePath);
  for (const home of [folder, dirname(folder)]) {
    const runs = await subfolders(join(home, debugFolder), /^run_/);
    const own = runs.findLast(run => isOfProcess(run, tracePath)) ?? runs.at(-1);
    const sites = own === undefined ? [] : await sitesOfRun(join(own, 'torchinductor'));
    if (sites.length > 0) return sites;
  }
  const kept = await graphs();
  return kept ? kernelSitesInCache(kept) : [];
}

/** Trace names of `tensorboard_trace_handler` without a given name: `<host>_<pid>.<time>.pt.trace.json`. */
const nameOfTrace = /_(\d+)\.\d+\.pt\.trace\.json(?:\.gz|\.zst)?$/;

/** Returns whether a run's folder, `run_…-pid_12`, belongs to the process in the trace's name. */
function isOfProcess(run: string, tracePath: string): boolean {
  const pid = /-pid_(\d+)$/.exec(run)?.[1];
  return pid !== undefined && nameOfTrace.exec(basename(tracePath))?.[1] === pid;
}

async function sitesOfRun(run: string): Promise<KernelSite[]> {
  const sites: KernelSite[] = [];
  let letters = 0;
  for (const graph of (await subfolders(run, /./)).slice(0, mostGraphs)) {
    const code = await textIn(join(graph, 'output_code.py'));
    if (code === '') continue;
    const graphs = await Promise.all(graphFiles.map(name => textIn(join(graph, name))));
    const mappings = await textIn(join(graph, mappingsFile));
    letters += [code, mappings, ...graphs].reduce((sum, {length}) => sum + length, 0);
    if (letters > mostBytes) break;
    pushAll(sites, kernelSitesOf(code, graphs, mappings));
  }
  return sites;
}

/** Returns the subfolders whose names match, sorted by their numbers: names of runs begin with their time. */
async function subfolders(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  const names = entries.filter(entry => entry.isDirectory() && pattern.test(entry.name)).map(({name}) => name);
  return names.sort((a, b) => a.localeCompare(b, 'en', {numeric: true})).map(name => join(folder, name));
}

async function textIn(path: string): Promise<string> {
  const text = await readRegularFile(path, (file, bytes) =>
    bytes <= longestBytes ? file.readFile('utf8') : Promise.resolve(''),
  );
  return text ?? '';
}
