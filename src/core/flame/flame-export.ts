import {oneLine, terminalJson} from '../format/cells.js';
import {callerSide, flameName, flamePath, type FlameGraph} from './flame-graph.js';
import {flameLayout} from './flame-layout.js';
import {flameSvg} from './flame-svg.js';

/** What a flame graph can be written as. */
export const flameFormats = ['folded', 'speedscope', 'svg', 'json'] as const;
export type FlameFormat = (typeof flameFormats)[number];

/**
 * Folded stacks, a line per block with something of its own: names from the outside in, and the weight as a whole
 * number. `from` is the block whose part of the picture is written.
 *
 *     train_step;layer_0;gemm 9000
 *
 * The format has no way to write a semicolon or a line feed in a name: they become a comma and a space.
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

/** Each block is written with the innermost frames around it: a file can nest so many that all would take gigabytes. */
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
 * A file of speedscope: one sampled profile, whose samples are the blocks with something of their own, in the order in
 * which the picture has them: so it looks like the picture where speedscope keeps that order.
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

/** The blocks with something of their own, which stands on the right of what is below them; without callers. */
function blocksFromLeft(graph: FlameGraph): number[] {
  const {self, side, length} = graph.nodes;
  const {x1, row} = flameLayout(graph);
  const blocks: number[] = [];
  for (let node = 0; node < length; node++) if (self[node] > 0 && side[node] !== callerSide) blocks.push(node);
  return blocks.sort((a, b) => x1[a] - x1[b] || row[b] - row[a]);
}

/** A block as JSON has it; the numbers are in the weight's unit, which `weight` of the file names. */
interface JsonBlock {
  readonly name: string;
  readonly parent: number;
  readonly self: number;
  readonly total: number;
  readonly operations: number;
}

/** The blocks as rows, parents before children; the first is the root. */
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

/** A flame graph in a format. @param name of the profile */
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
