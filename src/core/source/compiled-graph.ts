import {pushAll} from '../table/extremes.js';
import {isFields, parseJsonLine} from '../base/read-json.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {KernelSite} from './sidecar.js';

/**
 * Which lines kernels come from that torch.compile made, by what TORCH_COMPILE_DEBUG=1 leaves beside a script: comments in
 * `output_code.py` name the nodes that are fused in a kernel, comments in a printed graph the line of each node.
 *
 *     # Topologically Sorted Source Nodes: [y, relu], Original ATen: [aten.relu]     # File: /w/train.py:9 in forward, code: …
 *     # Source node to ATen node mapping:                                            relu: "f32[8, 16]" = torch.ops.aten.relu…
 *     #   relu => relu
 *     triton_poi_fused_relu_0 = async_compile.triton(…
 *
 * @see torch/_inductor/utils.py, get_kernel_metadata; torch/fx/graph.py
 */
const mapped = /^\s*(?:#|\/\/) {3}\S+ => (.+)$/;
const nodesBegin = /^\s*(?:#|\/\/) (?:Topologically Sorted |Unsorted )?Source Nodes: \[/;
/** Names that have `fused_` in them; both in one expression would take a text made to be slow in quadratic time. */
const kernelLine = /^\s*((?:triton|cpp)_\w+)(?: = async_compile\.|\.run\(|\()/;
/** What may stand between the comments of a kernel and the kernel. */
const between = /^\s*(?:#|\/\/|$)|get_raw_stream|_DeviceGuard|set_device/;
const nodeLine = /^\s*(\w+)(?:\s*:[^=]*)? = /;

/** Kernel → the nodes of the compiled graph that are fused in it, by a graph's `output_code.py`. */
export function kernelNodes(outputCode: string): Map<string, Set<string>> {
  const kernels = new Map<string, Set<string>>();
  let nodes: string[] = [];
  for (const line of outputCode.split('\n')) {
    const [kernel, names] = [kernelOf(line), mapped.exec(line)?.[1]];
    if (names !== undefined) pushAll(nodes, names.trim().split(', '));
    else if (kernel !== undefined) {
      const known = getOrAdd(kernels, kernel, () => new Set<string>());
      for (const node of nodes) known.add(node);
    }
    // Comments are of the kernel behind them; kernels of C++, and calls of libraries, may have none.
    if (kernel !== undefined || nodesBegin.test(line) || !between.test(line)) nodes = [];
  }
  return kernels;
}

function kernelOf(line: string): string | undefined {
  const name = kernelLine.exec(line)?.[1];
  return name !== undefined && /fused_\w/.test(name) ? name : undefined;
}

/**
 * The same by `inductor_provenance_tracking_node_mappings.json`, which PyTorch writes since 2.8, also for kernels of C++:
 * `{"cppCodeToPost": {"cpp_fused_relu_0:1": ["relu"]}}`, a kernel with the number of its call. Empty for another text.
 */
export function mappedNodes(mappings: string): Map<string, Set<string>> {
  const kernels = new Map<string, Set<string>>();
  const nodesOf = parseJsonLine(mappings)?.['cppCodeToPost'];
  for (const [call, nodes] of Object.entries(isFields(nodesOf) ? nodesOf : {})) {
    const known = getOrAdd(kernels, call.replace(/:\d+$/, ''), () => new Set<string>());
    for (const node of Array.isArray(nodes) ? nodes : []) if (typeof node === 'string') known.add(node);
  }
  return kernels;
}

/** A line of a source. */
type Place = Pick<KernelSite, 'file' | 'line'>;

/** The place in a comment of a printed graph, `# File: /w/train.py:9 in forward, code: …`; null for another line. */
function placeIn(text: string): Place | null {
  const begin = /^\s*# File: /.exec(text)?.[0].length ?? -1;
  const end = begin < 0 ? -1 : text.indexOf(', code: ', begin);
  if (end < 0) return null;
  const whole = text.slice(begin, end);
  const inFunction = whole.lastIndexOf(' in ');
  return placeOf(inFunction < 0 ? whole : whole.slice(0, inFunction)) ?? placeOf(whole);
}

function placeOf(text: string): Place | null {
  const colon = text.lastIndexOf(':');
  const line = text.slice(colon + 1);
  return colon > 0 && /^\d{1,9}$/.test(line) ? {file: text.slice(0, colon), line: Number(line)} : null;
}

/** Node → the innermost line of its stack, by a graph as it is printed; nodes without one are missing. */
export function nodeLines(graph: string): Map<string, Place> {
  const lines = new Map<string, Place>();
  let place: Place | null = null;
  for (const text of graph.split('\n')) {
    const [found, node] = [placeIn(text), nodeLine.exec(text)?.[1]];
    if (found) place = found;
    else if (/^\s*# No stacktrace/.test(text)) place = null;
    else if (node !== undefined && place) lines.set(node, place);
  }
  return lines;
}

/**
 * The lines of a graph's kernels that are the user's own, each once: not those of torch, nor of a package.
 *
 * @param graphs the graph as it is printed, before or after Inductor's passes; of a node in several the first counts
 * @param mappings what PyTorch itself has written of kernels and nodes; "" where it has not
 */
export function kernelSitesOf(outputCode: string, graphs: readonly string[], mappings = ''): KernelSite[] {
  const lines = graphs.map(nodeLines);
  const kernels = kernelNodes(outputCode);
  for (const [name, nodes] of mappedNodes(mappings)) {
    const known = getOrAdd(kernels, name, () => new Set<string>());
    for (const node of nodes) known.add(node);
  }
  return [...kernels].flatMap(([name, nodes]) => {
    const sites = new Map<string, KernelSite>();
    for (const node of nodes) {
      const place = lines.map(known => known.get(node)).find(found => found !== undefined);
      if (place && isOwn(place.file)) sites.set(`${String(place.line)} ${place.file}`, {name, ...place});
    }
    return [...sites.values()];
  });
}

function isOwn(file: string): boolean {
  return !/[\\/](?:site-packages|dist-packages)[\\/]|[\\/]torch[\\/](?:_|nn[\\/]|optim[\\/]|utils[\\/])|^</.test(file);
}
