import type {SyntaxNode} from '@lezer/common';
import type {Suspect, SuspectKind} from '../../core/source/suspect.js';
import type {ParsedText} from '../parsed-text.js';
import {childrenOf, closest, lastVisible} from '../syntax.js';
import {functionAround} from './bindings.js';
import {blockEnd} from './blocks.js';
import {argumentCount, argumentOf, namesOfCall, type Call} from './calls.js';
import {callsNamed} from './named-calls.js';
import {definedName} from './definitions.js';
import {resolveDotted} from './imports.js';
import {pythonText, type PythonText} from './python-text.js';
import {timersIn} from './timers.js';

const words = ['item', 'tolist', 'cpu', 'to', 'print', 'profile', 'set_detect_anomaly', 'detect_anomaly'];

/** A text with more calls, or with longer names, is malicious. */
const mostCalls = 5000;
const longestName = 200;

/** Returns whether a text may have any: most files of a workspace need not be parsed. */
export function mayHaveSuspects(text: string): boolean {
  return /\.\s*(?:item|tolist|cpu|to)\s*\(|\bprint\s*\(|\bprofile\b|detect_anomaly|\b(?:time|perf_counter|monotonic|default_timer)\b/.test(
    text,
  );
}

/** Returns the places of a Python text that may be mistakes, in the order of the text. */
export function findSuspects(parsed: ParsedText): Suspect[] {
  const python = pythonText(parsed);
  const found = callsOf(python).flatMap(call => suspectOf(call, python) ?? []);
  // The argument of a print may be a waiting call that is reported itself: calls come in the order of their names in
  // the text.
  const counted = found.filter(({kind, to}, at) => {
    const next = kind === 'print' ? found[at + 1] : undefined;
    return !next || next.kind === 'print' || next.to >= to;
  });
  const timers = timersIn(python).map(({reading, start}) => ({
    ...suspect('timer', reading, python, `${calleeName(reading, python)}()`),
    firstLine: python.lines.lineAt(start.to),
    endLine: python.lines.lineAt(reading.from),
  }));
  return [...counted, ...timers].sort((a, b) => a.from - b.from);
}

function callsOf({tree, text, imports}: PythonText): Call[] {
  const known = new Set(words);
  for (const local of imports.names.keys()) {
    if (resolveDotted(local, imports).some(name => known.has(lastWord(name)))) known.add(local);
  }
  return callsNamed({tree, text}, [...known], mostCalls);
}

function suspectOf(call: Call, python: PythonText): Suspect | null {
  const {node, list} = call;
  for (const name of call.to - call.from > longestName ? [] : namesOfCall(call, python)) {
    if (name === 'print') return hasVariable(list, python) ? suspect('print', node, python, 'print(…)') : null;
    if (/^torch(\.\w+)*\.detect_anomaly$/.test(name)) return suspect('anomaly', node, python, 'detect_anomaly()');
    if (/^torch(\.\w+)*\.set_detect_anomaly$/.test(name)) {
      const isOff = sourceOf(argumentOf(list, 0, ['mode'], python), python) === 'False';
      return isOff ? null : suspect('anomaly', node, python, 'set_detect_anomaly(True)');
    }
    if (/^torch(\.autograd)?\.profiler\.profile$/.test(name)) return profilerOf(call, python);
  }
  return waitOf(call, python);
}

/** Returns a tensor's method that waits for its value. */
function waitOf({node, list}: Call, python: PythonText): Suspect | null {
  const method = node.firstChild?.name === 'MemberExpression' ? node.firstChild.getChild('PropertyName') : null;
  if (!method) return null;
  const word = sourceOf(method, python);
  const isBare = argumentCount(list) === 0;
  // From the method on, because the object before it may be long.
  const line = python.lines.lineAt(method.from);
  const place = {from: method.from, line, firstLine: line, endLine: line};
  if (word === 'item') return isBare ? {...suspect('item', node, python, '.item()'), ...place} : null;
  if (word === 'to') return isToHost(list, python) ? {...suspect('copy', node, python, '.to("cpu")'), ...place} : null;
  const isCopy = word === 'cpu' || (word === 'tolist' && isBare);
  return isCopy ? {...suspect('copy', node, python, `.${word}()`), ...place} : null;
}

function suspect(kind: SuspectKind, node: SyntaxNode, python: PythonText, spelling: string): Suspect {
  const line = python.lines.lineAt(node.from);
  const around = functionAround(node);
  const functionName =
    around === null ? '<module>' : around.name === 'LambdaExpression' ? '<lambda>' : definedName(around, python.text);
  const place = {line, from: node.from, to: lastVisible(python.text, node.from, node.to) + 1};
  return {kind, spelling, called: calleeName(node, python), ...place, firstLine: line, endLine: line, functionName};
}

/** Returns a profiler that records from its first step on, with the lines that it records. */
function profilerOf({node, list}: Call, python: PythonText): Suspect | null {
  const schedule = argumentOf(list, Infinity, ['schedule'], python);
  if (schedule && !hasNoWarmUp(schedule, python)) return null;
  const end = blockEnd(node, python);
  if (end === null) return null;
  return {...suspect('no-warm-up', node, python, 'profile(…)'), endLine: python.lines.lineAt(end)};
}

/**
 * Returns whether a schedule such as `schedule(wait=0, warmup=0, active=3)` has no warm-up; an unknown schedule is
 * assumed to have one.
 */
function hasNoWarmUp(schedule: SyntaxNode, python: PythonText): boolean {
  const made = schedule.name === 'CallExpression' ? schedule : python.bindings.valueOf(schedule);
  const list = made?.name === 'CallExpression' ? made.getChild('ArgList') : null;
  return sourceOf(argumentOf(list, Infinity, ['warmup'], python), python) === '0';
}

/** `.to("cpu")`, `.to(device="cpu")`, `.to(torch.device("cpu"))`. */
function isToHost(list: SyntaxNode | null, python: PythonText): boolean {
  const source = sourceOf(argumentOf(list, 0, ['device'], python), python);
  return /^(?:torch\.device\()?\s*(['"])cpu\1\s*\)?$/.test(source);
}

/** Returns whether a print has arguments other than texts and numbers. */
function hasVariable(list: SyntaxNode | null, {text}: PythonText): boolean {
  const plain = new Set(['(', ')', ',', 'Comment', 'String', 'Number', 'ContinuedString', 'AssignOp']);
  return (
    list !== null &&
    childrenOf(list).some(({name, from, to, nextSibling, prevSibling}) => {
      if (plain.has(name) || nextSibling?.name === 'AssignOp' || prevSibling?.name === 'AssignOp') return false;
      return name !== 'FormatString' || text.slice(from, to).includes('{');
    })
  );
}

/** Returns the last word of the called name. */
function calleeName(call: SyntaxNode, python: PythonText): string {
  const callee = closest(call, new Set(['CallExpression']))?.firstChild ?? null;
  return callee ? lastWord(python.text.slice(Math.max(callee.from, callee.to - longestName), callee.to)) : '';
}

function lastWord(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf('.') + 1).trim();
}

function sourceOf(node: SyntaxNode | null, {text}: PythonText): string {
  return node ? text.slice(node.from, node.to) : '';
}
