import type {SyntaxNode, Tree} from '@lezer/common';
import {childrenOf, closest} from '../syntax.js';

/** Nodes with a scope of their own for names. */
const scopes = new Set(['FunctionDefinition', 'LambdaExpression', 'ClassDefinition', 'Script']);
const functions = new Set(['FunctionDefinition', 'LambdaExpression']);
const classes = new Set(['ClassDefinition']);

/** Statements that bind names to values that the text does not determine. */
const opaque = new Set([
  'ParamList',
  'ForStatement',
  'WithStatement',
  'UpdateStatement',
  'NamedExpression',
  'ScopeStatement',
  'DeleteStatement',
  'TryStatement',
  'FunctionDefinition',
  'ClassDefinition',
]);

/** The values of the names of a Python text, if a name has a single expression. Read at the first request. */
export class Bindings {
  /** By scope's start and name, the expressions to which the name is set there; null for an unknown one. */
  #values: Map<string, (SyntaxNode | null)[]> | null = null;

  constructor(
    private readonly tree: Tree,
    private readonly text: string,
  ) {}

  /**
   * Returns the expression that a name, or an attribute of `self` or of a class of the text, has at a place; else null.
   */
  valueOf(expression: SyntaxNode): SyntaxNode | null {
    const source = this.text.slice(expression.from, expression.to);
    if (expression.name === 'VariableName') return this.#variable(source, expression);
    const object = expression.firstChild;
    const property = expression.getChild('PropertyName');
    if (expression.name !== 'MemberExpression' || object?.name !== 'VariableName' || !property) return null;
    const attribute = this.text.slice(property.from, property.to);
    const owner = this.text.slice(object.from, object.to);
    const scope = owner === 'self' || owner === 'cls' ? closest(object, classes) : this.#classCalled(owner);
    return scope && this.#only(scope, attribute);
  }

  #variable(name: string, at: SyntaxNode): SyntaxNode | null {
    for (let scope = closest(at, scopes); scope; scope = closest(scope.parent, scopes)) {
      // Names of a class are not visible inside its functions.
      if (scope.name === 'ClassDefinition' && closest(at, scopes)?.from !== scope.from) continue;
      if (this.#all().has(key(scope, name))) return this.#only(scope, name);
    }
    return null;
  }

  #only(scope: SyntaxNode, name: string): SyntaxNode | null {
    const values = this.#all().get(key(scope, name)) ?? [];
    return values.length === 1 ? (values[0] ?? null) : null;
  }

  #classCalled(name: string): SyntaxNode | null {
    for (let node = this.tree.topNode.firstChild; node; node = node.nextSibling) {
      const definition = node.name === 'DecoratedStatement' ? node.getChild('ClassDefinition') : node;
      const word = definition?.name === 'ClassDefinition' ? definition.getChild('VariableName') : null;
      if (word && this.text.slice(word.from, word.to) === name) return definition;
    }
    return null;
  }

  #all(): Map<string, (SyntaxNode | null)[]> {
    if (this.#values) return this.#values;
    const values = (this.#values = new Map<string, (SyntaxNode | null)[]>());
    this.tree.iterate({
      enter: ref => {
        if (ref.name === 'AssignStatement') this.#addAssignment(ref.node);
        else if (opaque.has(ref.name)) this.#addOpaque(ref.node);
      },
    });
    return values;
  }

  #addAssignment(statement: SyntaxNode): void {
    const parts = childrenOf(statement).filter(({name}) => name !== 'TypeDef' && name !== 'Comment');
    const lastEquals = parts.findLastIndex(({name}) => name === 'AssignOp');
    const value = parts.length === lastEquals + 2 ? (parts[lastEquals + 1] ?? null) : null;
    const targets = parts.slice(0, Math.max(0, lastEquals));
    const isPlain = value !== null && !targets.some(({name}) => name === ',');
    for (const target of targets) {
      if (target.name === 'MemberExpression') this.#addAttribute(target, isPlain ? value : null);
      else for (const name of variablesOf(target)) this.#add(scopeOf(target), name, isPlain ? value : null);
    }
  }

  /** `self.name = "a"` in a method sets an attribute of the class. */
  #addAttribute(target: SyntaxNode, value: SyntaxNode | null): void {
    const [object, , property] = childrenOf(target);
    const owner = closest(target, classes);
    if (!owner || !object || !property || this.text.slice(object.from, object.to) !== 'self') return;
    this.#add(owner, property, value);
  }

  #addOpaque(statement: SyntaxNode): void {
    const children = childrenOf(statement);
    const inOrAs = children.findIndex(({name}) => name === 'in');
    const bound = statement.name === 'ForStatement' && inOrAs >= 0 ? children.slice(0, inOrAs) : children;
    // The function's name is bound outside of it, its parameters inside.
    const isDefinition = statement.name.endsWith('Definition');
    const scope = scopeOf(isDefinition ? (statement.parent ?? statement) : statement);
    for (const child of bound) {
      if (child.name === 'Body' || (isDefinition && child.name !== 'VariableName')) continue;
      if (isValueOf(statement, child)) continue;
      for (const name of variablesOf(child)) {
        this.#add(scope, name, null);
        if (statement.name === 'ScopeStatement') this.#add(this.tree.topNode, name, null);
      }
    }
  }

  #add(scope: SyntaxNode, name: SyntaxNode, value: SyntaxNode | null): void {
    const at = key(scope, this.text.slice(name.from, name.to));
    const values = this.#values?.get(at);
    if (values) values.push(value);
    else this.#values?.set(at, [value]);
  }
}

function key(scope: SyntaxNode, name: string): string {
  return `${String(scope.name === 'Script' ? -1 : scope.from)} ${name}`;
}

function scopeOf(node: SyntaxNode): SyntaxNode {
  // A walrus binds in the enclosing function, even inside a class.
  return closest(node, scopes) ?? node;
}

/** Returns whether a child of a binding statement is the value, not a bound name. */
function isValueOf(statement: SyntaxNode, child: SyntaxNode): boolean {
  const before = child.prevSibling?.name;
  if (statement.name === 'WithStatement' || statement.name === 'TryStatement') return before !== 'as';
  return before === 'AssignOp' || before === 'UpdateOp' || child.name === 'TypeDef';
}

function variablesOf(target: SyntaxNode): SyntaxNode[] {
  if (target.name === 'VariableName') return [target];
  if (!['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression'].includes(target.name)) return [];
  return childrenOf(target).flatMap(variablesOf);
}

/** Returns the function that contains a node; null outside of functions, also in a class body. */
export function functionAround(node: SyntaxNode): SyntaxNode | null {
  return closest(node, functions);
}
