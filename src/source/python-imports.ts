import type {Tree} from '@lezer/common';

/** What the names of a module stand for: local name → dotted name, `nv` → `torch.cuda.nvtx`. */
export type Imports = ReadonlyMap<string, string>;

/** The imports of a Python text, wherever they stand: a tag may be imported inside a function. */
export function findImports(tree: Tree, text: string): Imports {
  const imports = new Map<string, string>();
  tree.iterate({
    enter(node) {
      if (node.name !== 'ImportStatement') return true;
      const words = text
        .slice(node.from, node.to)
        .replace(/[()\\]/g, ' ')
        .replace(/#.*$/gm, ' ')
        .trim();
      if (words.startsWith('from')) addFromImport(words, imports);
      else addImport(words, imports);
      return false;
    },
  });
  return imports;
}

/** `import torch.cuda.nvtx as nv, os` */
function addImport(statement: string, imports: Map<string, string>): void {
  for (const part of statement.replace(/^import\s+/, '').split(',')) {
    const [module, alias] = part.trim().split(/\s+as\s+/);
    if (!module) continue;
    if (alias !== undefined) imports.set(alias, module);
    // `import torch.cuda` binds only `torch`.
    else imports.set(firstSegment(module), firstSegment(module));
  }
}

/** `from torch.profiler import record_function as rf, profile` */
function addFromImport(statement: string, imports: Map<string, string>): void {
  const match = /^from\s+(\S+)\s+import\s+([^]*)$/.exec(statement);
  if (!match) return;
  const [, module = '', names = ''] = match;
  for (const part of names.split(',')) {
    const [name, alias] = part.trim().split(/\s+as\s+/);
    if (name) imports.set(alias ?? name, `${module}.${name}`);
  }
}

function firstSegment(dotted: string): string {
  return dotted.split('.')[0] ?? dotted;
}
