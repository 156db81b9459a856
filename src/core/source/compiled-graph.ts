import {pushAll} from '../table/extremes.js';
import {isFields, parseJsonLine} from '../base/read-json.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {KernelSite} from './sidecar.js';

/**
 * Finds the source lines of kernels that torch.compile made, in the files that TORCH_COMPILE_DEBUG=1 writes next to a
 * script. Comments in `output_code.py` name the nodes that are fused into a kernel; comments in a printed graph give
 * the line of each node.
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
/**
 * Matches kernels. Whether the name contains `fused_` is checked separately: a single expression would take quadratic
 * time on malicious text.
 */
const kernelLine = /^\s*((?:triton|cpp)_\w+)(?: = async_compile\.|\.run\(|\()/;
/** Lines that may be between a kernel's comments and the kernel. */
const between = /^\s*(?:#|\/\/|$)|get_raw_stream|_DeviceGuard|set_device/;
const nodeLine = /^\s*(\w+)(?:\s*:[^=]*)? = /;

/**
 * Returns, for each kernel, the nodes of the compiled graph that are fused into it, from a graph's `output_code.py`.
 */
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
    // Comments belong to the kernel after them; C++ kernels and library calls may have none.
    if (kernel !== undefined || nodesBegin.test(line) || !between.test(line)) nodes = [];
  }
  return kernels;
}

function kernelOf(line: string): string | undefined {
  const name = kernelLine.exec(line)?.[1];
  return name !== undefined && /fused_\w/.test(name) ? name : undefined;
}

/**
 * Returns the same from `inductor_provenance_tracking_node_mappings.json`, which PyTorch writes since 2.8, including
 * C++ kernels: `{"cppCodeToPost": {"cpp_fused_relu_0:1": ["relu"]}}`, where each kernel has the number of its call.
 * Empty for any other text.
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

/**
 * Parses the place in a printed graph's comment, `# File: /w/train.py:9 in forward, code: …`; null for any other line.
 */
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

/** Returns, for each node of a printed graph, the innermost line of its stack. Nodes without a line are absent. */
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
 * Returns the lines of a graph's kernels in the user's own code, each once: not those of torch or of a package.
 *
 * @param graphs the printed graph, before or after Inductor's passes; for a node in several, the first counts
 * @param mappings PyTorch's own mappings of kernels to nodes; "" if there are none
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
