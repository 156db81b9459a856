/**
 * How a line is split into pieces: a double-quoted part (an open quote reaches to the end), a single-quoted part, an
 * escape, blanks, or any other letter.
 */
interface Form {
  readonly pieces: RegExp;
  /** Returns the text between double quotes without its escape characters. */
  readonly quoted: (text: string) => string;
  readonly escaped: (text: string) => string;
}

/** Runs of backslashes: those before a double quote or the end, which count double, and others. */
const slashRuns = /(\\*)("|$)|\\+/g;

const withoutEscapes = (text: string) => text.replace(/\\(["\\])/g, '$1');

const plainForm: Form = {
  pieces: /"((?:\\["\\]|\\(?!["\\])|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'\\])|(\s+)|([^])/g,
  quoted: withoutEscapes,
  escaped: text => text,
};

/**
 * How Windows programs read their command line, with single quotes in addition. A backslash belongs to a path, except
 * directly before a double quote: there, two backslashes make one, and a single one makes the quote literal.
 *
 * @see https://learn.microsoft.com/en-us/cpp/c-language/parsing-c-command-line-arguments
 */
const windowsForm: Form = {
  pieces:
    /"((?:(?:\\\\)*\\"|(?:\\\\)+(?=")|\\+(?![\\"])|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|((?:\\\\)*\\"|(?:\\\\)+(?="))|(\s+)|(\\+|[^])/g,
  quoted: text =>
    text.replace(slashRuns, (run, before: string | undefined, end: string) =>
      before === undefined ? run : '\\'.repeat(before.length / 2) + end,
    ),
  escaped: withoutEscapes,
};

const isWindowsHere = process.platform === 'win32';

/**
 * Returns the arguments in a line that a person typed. Blanks separate arguments, quotes of either kind keep one
 * together, and a backslash makes the next quote, blank or backslash literal. No shell reads the line: `$HOME`, `*` and
 * `;` are plain text.
 *
 * @param isWindows whether backslashes belong to paths (`\\server\data`); then they escape only a double quote
 */
export function splitArguments(text: string, isWindows = isWindowsHere): string[] {
  const form = isWindows ? windowsForm : plainForm;
  const found: string[] = [];
  let current: string | null = null;
  for (const [, double, single, escaped, blanks, letter] of text.matchAll(form.pieces)) {
    if (blanks === undefined) {
      const quoted = double === undefined ? single : form.quoted(double);
      current = (current ?? '') + (quoted ?? (escaped === undefined ? (letter ?? '') : form.escaped(escaped)));
    } else {
      if (current !== null) found.push(current);
      current = null;
    }
  }
  if (current !== null) found.push(current);
  return found;
}

/** Returns a line that `splitArguments` splits into exactly these arguments. */
export function joinArguments(args: readonly string[], isWindows = isWindowsHere): string {
  const isPlain = isWindows ? /^[^\s"']+$/ : /^[^\s"'\\]+$/;
  const escaped = (argument: string) =>
    isWindows
      ? argument.replace(slashRuns, (run, before: string | undefined, end: string) =>
          before === undefined ? run : before + before + end.replace('"', '\\"'),
        )
      : argument.replace(/["\\]/g, '\\$&');
  return args.map(argument => (isPlain.test(argument) ? argument : `"${escaped(argument)}"`)).join(' ');
}
