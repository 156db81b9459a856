import type {SyntaxNode, Tree} from '@lezer/common';
import {functionAround} from './bindings.js';

interface VariableBlock {
  readonly node: SyntaxNode;
  readonly from: number;
  /** Start of the enclosing function, -1 for none. */
  readonly scope: number;
}

/** The `with` statements of a text that enter a variable's value. Read at the first request. */
export class VariableBlocks {
  #found: Map<string, VariableBlock[]> | null = null;

  constructor(
    private readonly tree: Tree,
    private readonly text: string,
  ) {}

  /** Returns those of a variable, in the order of the text. */
  of(variable: string): readonly VariableBlock[] {
    if (!this.#found) {
      this.#found = new Map();
      for (const match of this.text.matchAll(/\bwith\b/g)) {
        const node = this.tree.resolveInner(match.index, 1).parent;
        if (node?.name === 'WithStatement' && node.firstChild?.from === match.index) this.#add(node);
      }
    }
    return this.#found.get(variable) ?? [];
  }

  #add(node: SyntaxNode): void {
    const block = {node, from: node.from, scope: functionAround(node)?.from ?? -1};
    for (const item of [...node.getChildren('VariableName'), ...node.getChildren('MemberExpression')]) {
      const name = this.text.slice(item.from, item.to);
      const known = this.#found?.get(name);
      if (known) known.push(block);
      else this.#found?.set(name, [block]);
    }
  }
}
