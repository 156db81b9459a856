import type {SyntaxNode} from '@lezer/common';
import {childrenOf} from '../syntax.js';
import {functionAround} from './bindings.js';
import {namesOfCall} from './calls.js';
import {callsNamed} from './named-calls.js';
import {resolveDotted} from './imports.js';
import type {PythonText} from './python-text.js';

/** Two readings of a host's clock whose difference is computed, with no wait for the GPU in between. */
export interface HostTimer {
  /** The call that reads the clock first, and the one that reads it again. */
  readonly start: SyntaxNode;
  readonly reading: SyntaxNode;
}

const clocks = /^(?:time\.(?:time|perf_counter|monotonic)(?:_ns)?|timeit\.default_timer)$/;
/** A text with more readings or differences, or more text between two readings, is malicious. */
const mostReadings = 500;
const mostDifferences = 2000;
const longestBetween = 50_000;
const longestName = 200;
/** Calls that make a thread wait until the GPU has finished its work. */
const waits = /\b(?:synchronize|item|tolist|cpu)\s*\(/;

/**
 * Returns the timers of a text that stop before the GPU has finished: `time.perf_counter() - start` after `start = …`.
 */
export function timersIn(python: PythonText): HostTimer[] {
  const readings = readingsOf(python);
  if (readings.length < 2 || readings.length > mostReadings) return [];
  const timers = new Map<number, HostTimer>();
  for (const difference of differencesIn(python)) {
    const timer = timerOf(difference, readings, python.text);
    if (!timer || timer.reading.from - timer.start.to > longestBetween) continue;
    if (!waits.test(python.text.slice(timer.start.to, timer.reading.from))) timers.set(timer.reading.from, timer);
  }
  return [...timers.values()];
}

/** A call that reads a clock, the variable that holds the reading, and the start of the enclosing function. */
interface Reading {
  readonly node: SyntaxNode;
  readonly held: string;
  readonly scope: number;
}

/** Returns the readings in a difference: a direct call, or the last one before it that was stored in its variable. */
function timerOf(difference: SyntaxNode, readings: readonly Reading[], text: string): HostTimer | null {
  const [left, , right] = childrenOf(difference);
  if (!left || !right) return null;
  const scope = scopeOf(difference);
  const kept = (name: SyntaxNode, before: number) =>
    readings.findLast(
      ({node, held, scope: own}) => own === scope && node.to <= before && held === text.slice(name.from, name.to),
    )?.node;
  const reading = readings.find(({node}) => node.from === left.from)?.node ?? kept(left, difference.from);
  const start = reading && kept(right, reading.from);
  return reading && start ? {start, reading} : null;
}

function scopeOf(node: SyntaxNode): number {
  return functionAround(node)?.from ?? -1;
}

/** Returns the variable that holds a reading, also `self.start`; '' for a reading that is used directly. */
function heldBy({parent}: SyntaxNode, text: string): string {
  const target = parent?.name === 'AssignStatement' ? parent.firstChild : null;
  return target ? text.slice(target.from, target.to) : '';
}

/** Returns the subtractions whose two operands are both short. */
function differencesIn({tree, text}: PythonText): SyntaxNode[] {
  return [...text.matchAll(/[\w)]\s*-\s*[\p{L}_]/gu)].slice(0, mostDifferences).flatMap(match => {
    const minus = tree.resolveInner(match.index + match[0].indexOf('-'), 1);
    return minus.parent?.name === 'BinaryExpression' ? [minus.parent] : [];
  });
}

function readingsOf(python: PythonText): Reading[] {
  const {text, imports} = python;
  const names = new Set([
    'time',
    'time_ns',
    'perf_counter',
    'perf_counter_ns',
    'monotonic',
    'monotonic_ns',
    'default_timer',
  ]);
  for (const local of imports.names.keys()) {
    if (resolveDotted(local, imports).some(name => clocks.test(name))) names.add(local);
  }
  return callsNamed(python, [...names], mostReadings + 1)
    .filter(call => call.to - call.from <= longestName && namesOfCall(call, python).some(name => clocks.test(name)))
    .map(({node}) => ({node, held: heldBy(node, text), scope: scopeOf(node)}));
}
