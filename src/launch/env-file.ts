const line = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/;
const escapes: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/**
 * The variables of an `.env` file: `NAME=value` lines, with quotes, comments and `export` as debuggers read them. Lines
 * of another form are passed over; nothing is expanded.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, double, single, plain] = line.exec(one) ?? [];
    if (name === undefined) continue;
    found[name] = double?.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) ?? single ?? plain ?? '';
  }
  return found;
}
