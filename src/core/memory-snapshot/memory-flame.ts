import {flameKinds, flameSchema, type FlameGraph, type FlameTable} from '../flame/flame-graph.js';
import {allocateColumns} from '../table/table.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import type {DeviceMemory} from './replay.js';

/** Deeper stacks lose their innermost frames. */
const deepest = 500;

/** A node of the tree under construction. */
interface Node {
  readonly parent: number;
  readonly name: number;
  self: number;
  total: number;
}

/**
 * Returns live blocks at a moment by their whole stacks, from the outermost frame inwards; a block's width is its
 * bytes.
 */
export function memoryFlame(snapshot: MemorySnapshot, {allocations}: DeviceMemory, moment: number): FlameGraph {
  const names: string[] = ['Live memory', '(no stack)'];
  const nodes: Node[] = [{parent: -1, name: 0, self: 0, total: 0}];
  const children = new Map<string, number>();
  const nameOfFrame = new Map<number, number>();
  for (const [stack, bytes] of liveStacks(allocations, moment)) {
    let node = 0;
    for (const name of framesOf(stack)) node = childOf(node, name);
    nodes[node].self += bytes;
  }
  // Children come after their parents.
  for (let node = nodes.length - 1; node >= 0; node--) {
    const {parent, self} = nodes[node];
    nodes[node].total += self;
    if (parent >= 0) nodes[parent].total += nodes[node].total;
  }
  return {weight: 'memory', mode: 'merged', nodes: tableOf(nodes), names, total: nodes[0].total, notes: []};

  function framesOf(stack: number): number[] {
    if (stack < 0) return [1];
    const {parent, frame} = snapshot.stacks;
    const path: number[] = [];
    for (let row = stack; row >= 0 && path.length < deepest; row = parent[row]) path.push(frameName(frame[row]));
    return path;
  }

  function frameName(frame: number): number {
    let name = nameOfFrame.get(frame);
    if (name === undefined) {
      const {files, lines, names: functions} = snapshot.frames;
      const file = files[frame].split(/[\\/]/).at(-1) ?? '';
      name = names.push(`${functions[frame]} (${file}:${String(lines[frame])})`) - 1;
      nameOfFrame.set(frame, name);
    }
    return name;
  }

  function childOf(parent: number, name: number): number {
    const key = `${String(parent)} ${String(name)}`;
    let node = children.get(key);
    if (node === undefined) {
      node = nodes.push({parent, name, self: 0, total: 0}) - 1;
      children.set(key, node);
    }
    return node;
  }
}

function liveStacks(
  {length, stack, bytes, fromMoment, untilMoment}: DeviceMemory['allocations'],
  moment: number,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (let i = 0; i < length; i++) {
    if (moment < fromMoment[i] || moment >= untilMoment[i]) continue;
    sums.set(stack[i], (sums.get(stack[i]) ?? 0) + bytes[i]);
  }
  return sums;
}

function tableOf(nodes: readonly Node[]): FlameTable {
  const {length} = nodes;
  const columns = allocateColumns(flameSchema, length);
  columns.slice.fill(-1);
  nodes.forEach(({parent, name, self, total}, node) => {
    columns.parent[node] = parent;
    columns.name[node] = name;
    columns.self[node] = self;
    columns.total[node] = total;
    columns.kind[node] = flameKinds.indexOf(node === 0 ? 'root' : 'range');
  });
  return {length, ...columns};
}
