import type {SyntaxNode} from '@lezer/common';
import type {LineSpan} from '../../core/source/compiled-code.js';
import {LineIndex} from '../line-index.js';
import type {ParsedText} from '../parsed-text.js';
import {lastVisible} from '../syntax.js';
import {argumentOf, callAt, namesOfCall} from './calls.js';
import {definedName} from './definitions.js';
import {callsNamed} from './named-calls.js';
import {pythonText, type PythonText} from './python-text.js';

/** A text with more calls is malicious. */
const mostCalls = 1000;
const longestName = 200;
const longestLook = 20_000;

/**
 * Returns whether a text may pass anything to torch.compile: many texts compile regular expressions, and need not be
 * parsed.
 */
export function mayCompile(text: string): boolean {
  return text.includes('torch') && /(?<!\bre)\.\s*compile\b|\bimport\b.*\bcompile\b/.test(text);
}

/**
 * Returns the names of functions and classes that a text passes to `torch.compile`: as a decorator, as an argument, or
 * as an object of the class (`model = Net()`, `torch.compile(model)`, `model.compile()`).
 */
export function compiledNames(parsed: ParsedText): string[] {
  const python = pythonText(parsed);
  const names = [...decorated(python)];
  const aliases = [...python.imports.names].filter(([, dotted]) => dotted === 'torch.compile').map(([local]) => local);
  for (const call of callsNamed(python, ['compile', ...aliases], mostCalls)) {
    const isTorch = call.to - call.from < longestName && namesOfCall(call, python).includes('torch.compile');
    const callee = call.node.firstChild;
    const object = callee?.name === 'MemberExpression' ? callee.firstChild : null;
    const handed = isTorch ? argumentOf(call.list, 0, ['model'], python) : object;
    const name = handed && nameBehind(handed, python, isTorch);
    if (name) names.push(name);
  }
  return [...new Set(names)];
}

function* decorated(python: PythonText): Generator<string> {
  for (const match of python.text.matchAll(/@[ \t]*[\w.]*compile\b/g)) {
    const node = python.tree.resolveInner(match.index, 1);
    const decorator = node.name === 'Decorator' ? node : node.parent;
    const call = decorator?.name === 'Decorator' ? callAt(decorator) : null;
    if (!call || !namesOfCall(call, python).includes('torch.compile')) continue;
    const statement = decorator?.parent;
    const definition = statement?.getChild('FunctionDefinition') ?? statement?.getChild('ClassDefinition');
    if (definition) yield definedName(definition, python.text);
  }
}

/** Returns the name of the function, or of the object's class, that an expression denotes. */
function nameBehind(expression: SyntaxNode, python: PythonText, mayBeFunction: boolean): string | null {
  if (expression.name === 'CallExpression') return classMade(expression, python);
  const value = python.bindings.valueOf(expression);
  if (value?.name === 'CallExpression') return classMade(value, python);
  const source = python.text.slice(expression.from, expression.to);
  // A compiled object often takes the name of the original.
  const made = expression.name === 'VariableName' ? madeAs(source, expression.from, python.text) : null;
  return made ?? (mayBeFunction && /^[\w.]+$/.test(source) ? lastWord(source) : null);
}

/** Returns the class in `models.Net(3).cuda()`. */
function classMade(call: SyntaxNode, {text}: PythonText): string | null {
  let callee = call.firstChild;
  for (let level = 0; level < 20 && callee?.name === 'MemberExpression'; level++) {
    if (callee.firstChild?.name !== 'CallExpression') break;
    callee = callee.firstChild.firstChild;
  }
  const source = callee && callee.to - callee.from < longestName ? text.slice(callee.from, callee.to) : '';
  return /^[\w.]+$/.test(source) ? lastWord(source) : null;
}

/** Returns the class whose object was last assigned to a name before an offset, on a line of its own. */
function madeAs(name: string, before: number, text: string): string | null {
  const made = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*((?!torch\\.compile)[\\w.]+)\\(`, 'gm');
  const last = [...text.slice(Math.max(0, before - longestLook), before).matchAll(made)].at(-1)?.[1];
  return last === undefined ? null : lastWord(last);
}

function lastWord(dotted: string): string {
  return dotted.slice(dotted.lastIndexOf('.') + 1);
}

/**
 * Returns the lines of the functions and classes of these names, and of those of the text that they use, at any depth.
 */
export function compiledLines({tree, text}: ParsedText, names: ReadonlySet<string>): LineSpan[] {
  const definitions = new Map<string, SyntaxNode[]>();
  tree.iterate({
    enter({name, node}) {
      if (name !== 'FunctionDefinition' && name !== 'ClassDefinition') return;
      const own = definedName(node, text);
      definitions.set(own, [...(definitions.get(own) ?? []), node]);
    },
  });
  const used = new Set([...names].filter(name => definitions.has(name)));
  const lines = new LineIndex(text);
  const spans: LineSpan[] = [];
  // The set grows during the iteration.
  for (const name of used) {
    for (const node of definitions.get(name) ?? []) {
      const [line, endLine] = [lines.lineAt(node.from), lines.lineAt(lastVisible(text, node.from, node.to))];
      spans.push({line, endLine});
      node.cursor().iterate(({name: kind, from, to, node: {parent}}) => {
        if (parent?.name === 'FunctionDefinition' || parent?.name === 'ClassDefinition') return;
        if (
          kind !== 'VariableName' &&
          !(kind === 'PropertyName' && /\bself\s*\.\s*$/.test(text.slice(from - 20, from)))
        )
          return;
        const word = text.slice(from, to);
        if (definitions.has(word)) used.add(word);
      });
    }
  }
  return spans;
}
