import type {SyntaxNode, Tree} from '@lezer/common';
import {childrenOf, closest} from '../syntax.js';

/** A value that a name is set to. */
export interface CppBinding {
  /** The expression, the format of a `printf` into the name, or the replacement of a `#define`. */
  readonly node: SyntaxNode | null;
  readonly how: 'value' | 'printf' | 'define';
  readonly from: number;
  /** Start of the enclosing function, -1 for none. */
  readonly scope: number;
}

const functions = new Set(['FunctionDefinition', 'LambdaExpression']);

/** Node types that can set a name. */
const binding = new Set([
  'InitDeclarator',
  'FieldDeclaration',
  'AssignmentExpression',
  'ParameterDeclaration',
  'PreprocDirective',
  'CallExpression',
]);

/** The values of the names of a C++ text, read at the first request. */
export class CppBindings {
  #found: Map<string, CppBinding[]> | null = null;
  #structs: Map<string, SyntaxNode> | null = null;

  constructor(
    private readonly tree: Tree,
    private readonly text: string,
  ) {}

  /**
   * Returns the value of a name, or of a member such as `attr.message.ascii`, where it is used: the latest one before
   * it in the same function, else the only one outside of functions. Null if the text does not determine it.
   */
  of(name: string, at: SyntaxNode): CppBinding | null {
    const all = this.#all().get(name.replace(/\s+/g, '')) ?? [];
    const scope = closest(at, functions)?.from ?? -1;
    const here = all.filter(binding => binding.scope === scope && binding.from < at.from);
    if (here.length > 0) return here.at(-1) ?? null;
    const outside = all.filter(binding => binding.scope === -1);
    const others = outside.length > 0 ? outside : all;
    return others.length === 1 ? (others[0] ?? null) : null;
  }

  /** Returns the value of the member `name` of a struct, which names an NVTX domain. */
  nameOfStruct(struct: string): SyntaxNode | null {
    if (!this.#structs) {
      const structs = (this.#structs = new Map<string, SyntaxNode>());
      this.tree.iterate({
        enter: at => {
          if (at.name !== 'StructSpecifier' && at.name !== 'ClassSpecifier') return;
          const {node} = at;
          const word = node.getChild('TypeIdentifier');
          if (word && node.getChild('FieldDeclarationList')) structs.set(this.#slice(word), node);
        },
      });
    }
    const found = this.#structs.get(struct);
    return found ? this.#nameField(found) : null;
  }

  #nameField(struct: SyntaxNode): SyntaxNode | null {
    for (const field of struct.getChild('FieldDeclarationList')?.getChildren('FieldDeclaration') ?? []) {
      const member = (field.getChild('PointerDeclarator') ?? field).getChild('FieldIdentifier');
      if (member && this.#slice(member) === 'name') return valueIn(field);
    }
    return null;
  }

  #all(): Map<string, CppBinding[]> {
    if (this.#found) return this.#found;
    this.#found = new Map();
    this.tree.iterate({
      enter: at => {
        const {name} = at;
        // A node is an object, so none is created for names that bind nothing.
        if (!binding.has(name)) return;
        const {node} = at;
        if (name === 'InitDeclarator') this.#add(declared(node), valueIn(node), 'value');
        else if (name === 'FieldDeclaration') this.#add(node.getChild('FieldIdentifier'), valueIn(node), 'value');
        else if (name === 'AssignmentExpression') this.#add(node.firstChild, node.lastChild, 'value');
        else if (name === 'ParameterDeclaration') this.#add(declared(node), null, 'value');
        else if (name === 'PreprocDirective') this.#addDefine(node);
        else if (name === 'CallExpression') this.#addPrintf(node);
      },
    });
    return this.#found;
  }

  #addDefine(directive: SyntaxNode): void {
    if (directive.firstChild?.name !== '#define') return;
    this.#add(directive.getChild('Identifier'), directive.getChild('PreprocArg'), 'define');
  }

  /** `snprintf(buffer, size, "layer_%d", i)` sets `buffer`. */
  #addPrintf(call: SyntaxNode): void {
    const [callee, list] = childrenOf(call);
    if (!callee || !list || !/^(std::)?sn?printf$/.test(this.#slice(callee))) return;
    const [buffer, ...others] = childrenOf(list).filter(({name}) => !['(', ')', ','].includes(name));
    const format = others.find(({name}) => name === 'String' || name === 'ConcatenatedString');
    this.#add(buffer ?? null, format ?? null, 'printf');
  }

  #add(name: SyntaxNode | null, node: SyntaxNode | null, how: CppBinding['how']): void {
    if (!name) return;
    const word = this.#slice(name).replace(/\s+/g, '');
    const binding = {node, how, from: name.from, scope: closest(name, functions)?.from ?? -1};
    const known = this.#found?.get(word);
    if (known) known.push(binding);
    else this.#found?.set(word, [binding]);
  }

  #slice({from, to}: SyntaxNode): string {
    return this.text.slice(from, to);
  }
}

/** Returns the name in a declarator, below its pointers and references. */
function declared(declaration: SyntaxNode): SyntaxNode | null {
  let at: SyntaxNode | null = declaration;
  while (at) {
    const name: SyntaxNode | null = at.getChild('Identifier');
    if (name) return name;
    at = at.getChild('PointerDeclarator') ?? at.getChild('ReferenceDeclarator') ?? at.getChild('ArrayDeclarator');
  }
  return null;
}

/** Returns the expression to which a declaration sets its name: `= "a"`, `{"a"}`, `("a")`; null for none. */
function valueIn(declaration: SyntaxNode): SyntaxNode | null {
  const parts = childrenOf(declaration).filter(({name}) => name !== ';' && !name.endsWith('Comment'));
  const last = parts.at(-1);
  if (!last || last.name.endsWith('Declarator') || last.name === 'FieldIdentifier') return null;
  // If there are two names, the first is the declared one.
  return last.name === 'Identifier' && parts.length === 1 ? null : last;
}
