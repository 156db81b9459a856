const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/;
const quoted = /^\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/;
const escapes: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/**
 * Returns the variables of an `.env` file: `NAME=value` lines with quotes, comments and `export`, as debuggers read
 * them.
 * Other lines are skipped, and nothing is expanded. A `#` begins a comment at the start of a line or after a blank;
 * inside a word it is part of the word.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, value = ''] = assignment.exec(one) ?? [];
    if (name !== undefined) found[name] = valueOf(value);
  }
  return found;
}

function valueOf(text: string): string {
  const [, double, single] = quoted.exec(text) ?? [];
  return (
    double?.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) ??
    single ??
    text.replace(/(^|\s)#.*$/, '').trim()
  );
}
