import {oneLine, terminalJson} from '../format/cells.js';
import {callerSide, flameName, flamePath, type FlameGraph} from './flame-graph.js';
import {flameLayout} from './flame-layout.js';
import {flameSvg} from './flame-svg.js';

/** The file formats of a flame graph. */
export const flameFormats = ['folded', 'speedscope', 'svg', 'json'] as const;
export type FlameFormat = (typeof flameFormats)[number];

/**
 * Writes folded stacks, a line per block with weight of its own: names from the outside in, and the weight as an
 * integer. Only `from` and the blocks below it are written.
 *
 *     train_step;layer_0;gemm 9000
 *
 * The format cannot represent a semicolon or a line feed in a name: they become a comma and a space.
 *
 * @see flamegraph.pl of github.com/brendangregg/FlameGraph
 */
export function foldedStacks(graph: FlameGraph, from = 0): string {
  const {nodes} = graph;
  const isIn = new Uint8Array(nodes.length);
  isIn[from] = 1;
  const lines: string[] = [];
  for (let node = 0; node < nodes.length; node++) {
    if (node > 0 && isIn[nodes.parent[node]] === 1 && nodes.side[node] !== callerSide) isIn[node] = 1;
    const own = Math.round(nodes.self[node]);
    if (isIn[node] === 0 || own === 0) continue;
    lines.push(`${flamePath(graph, node, mostFrames).map(foldedName).join(';')} ${String(own)}\n`);
  }
  return lines.join('');
}

/**
 * Each block is written with at most this many of the innermost frames around it: a file can nest so many that all
 * would take gigabytes.
 */
const mostFrames = 500;

function foldedName(name: string): string {
  return oneLine(name.replaceAll(';', ',').replace(/[\r\n]+/g, ' '));
}

const speedscopeUnits = {
  'gpu-work': 'nanoseconds',
  'gpu-busy': 'nanoseconds',
  cpu: 'nanoseconds',
  launches: 'none',
  bytes: 'bytes',
  memory: 'bytes',
} as const;

/**
 * Writes a speedscope file: one sampled profile, whose samples are the blocks with weight of their own, in the order of
 * the picture. It looks the same in speedscope views that keep this order.
 *
 * @see https://www.speedscope.app/file-format-schema.json
 */
export function speedscopeFile(graph: FlameGraph, name: string): string {
  const {nodes, names, weight} = graph;
  const samples: number[][] = [];
  const weights: number[] = [];
  let endValue = 0;
  for (const node of blocksFromLeft(graph)) {
    const own = nodes.self[node];
    const stack: number[] = [];
    for (let at = node; at > 0 && stack.length < mostFrames; at = nodes.parent[at]) stack.push(nodes.name[at]);
    samples.push(stack.length > 0 ? stack.reverse() : [nodes.name[0]]);
    weights.push(own);
    endValue += own;
  }
  const profile = {
    type: 'sampled',
    name: flameName(graph, 0),
    unit: speedscopeUnits[weight],
    startValue: 0,
    endValue,
    samples,
    weights,
  };
  return `${terminalJson(
    JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      exporter: 'GPU Lens',
      name,
      activeProfileIndex: 0,
      shared: {frames: names.map(text => ({name: text}))},
      profiles: [profile],
    }),
  )}\n`;
}

/**
 * Returns the blocks with weight of their own, without callers. A block's own weight is to the right of its children.
 */
function blocksFromLeft(graph: FlameGraph): number[] {
  const {self, side, length} = graph.nodes;
  const {x1, row} = flameLayout(graph);
  const blocks: number[] = [];
  for (let node = 0; node < length; node++) if (self[node] > 0 && side[node] !== callerSide) blocks.push(node);
  return blocks.sort((a, b) => x1[a] - x1[b] || row[b] - row[a]);
}

/** A block in JSON. Numbers are in the weight's unit, which the file's `weight` names. */
interface JsonBlock {
  readonly name: string;
  readonly parent: number;
  readonly self: number;
  readonly total: number;
  readonly operations: number;
}

/** Writes the blocks as rows, parents before children; the first is the root. */
export function flameJson(graph: FlameGraph): string {
  const {nodes, weight, mode, total, notes} = graph;
  const blocks: JsonBlock[] = [];
  for (let node = 0; node < nodes.length; node++) {
    blocks.push({
      name: flameName(graph, node),
      parent: nodes.parent[node],
      self: nodes.self[node],
      total: nodes.total[node],
      operations: nodes.operations[node],
    });
  }
  return `${terminalJson(JSON.stringify({weight, mode, total, notes, blocks}, null, 1))}\n`;
}

/** Writes a flame graph in a format. @param name the profile's name */
export function flameTexts(graph: FlameGraph, format: FlameFormat, name: string): string[] {
  switch (format) {
    case 'folded':
      return [foldedStacks(graph)];
    case 'speedscope':
      return [speedscopeFile(graph, name)];
    case 'svg':
      return [flameSvg(graph)];
    case 'json':
      return [flameJson(graph)];
  }
}
