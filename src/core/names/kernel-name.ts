/**
 * Returns a kernel's base name: without return type, namespaces, template arguments and parameters.
 *
 *     void at::native::reduce_kernel<(int)512, at::Op<float>>(at::Op<float>) → reduce_kernel
 *     void (anonymous namespace)::softmax<8>(float *) → softmax
 *
 * nsys calls it the short name, and gets it from the driver; here it is extracted from the demangled name.
 */
export function kernelBaseName(name: string): string {
  const end = nameEnd(name);
  let from = end;
  // Goes back to the beginning of the qualified name's last part; brackets belong to an outer part.
  while (from > 0 && /[\w$~]/.test(name[from - 1])) from--;
  return from === end ? name : name.slice(from, end);
}

/** Returns the end of the identifier: before the first `<` or `(` outside brackets that follows a letter or digit. */
function nameEnd(name: string): number {
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    const letter = name[i];
    const opens = letter === '<' || letter === '(';
    if (opens && depth === 0 && i > 0 && /[\w$]/.test(name[i - 1]) && !continuesAfter(name, i)) return i;
    if (opens) depth++;
    else if ((letter === '>' && name[i - 1] !== '-') || letter === ')') depth--;
  }
  return name.length;
}

/** Returns whether the bracket at `start` belongs to an outer part of the name: `::` follows its end. */
function continuesAfter(name: string, start: number): boolean {
  let depth = 0;
  for (let i = start; i < name.length; i++) {
    const letter = name[i];
    if (letter === '<' || letter === '(') depth++;
    else if ((letter === '>' && name[i - 1] !== '-') || letter === ')') depth--;
    if (depth === 0) return name.startsWith('::', i + 1);
  }
  return false;
}
