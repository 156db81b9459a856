import type {SyntaxNode} from '@lezer/common';

/** Returns the name of a function definition, as in Python's `__name__` or `__qualname__`. */
export function functionName(definition: SyntaxNode, attribute: '__name__' | '__qualname__', text: string): string {
  let name = definedName(definition, text);
  if (attribute === '__name__') return name;
  for (let around = definition.parent; around; around = around.parent) {
    if (around.name === 'ClassDefinition') name = `${definedName(around, text)}.${name}`;
    else if (around.name === 'FunctionDefinition') name = `${definedName(around, text)}.<locals>.${name}`;
  }
  return name;
}

/** Returns the name of a class or function. */
export function definedName(definition: SyntaxNode, text: string): string {
  const name = definition.getChild('VariableName');
  return name ? text.slice(name.from, name.to) : '';
}
