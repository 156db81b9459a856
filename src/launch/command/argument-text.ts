/** How a line is read, piece by piece: a quoted part (an open quote reaches to the end), one in single quotes, what is escaped, blanks, or any other letter. */
interface Form {
  readonly pieces: RegExp;
  /** What stands between double quotes, without what escapes. */
  readonly quoted: (text: string) => string;
  readonly escaped: (text: string) => string;
}

/** Backslashes: those before a double quote or the end, which count double, and others. */
const slashRuns = /(\\*)("|$)|\\+/g;

const withoutEscapes = (text: string) => text.replace(/\\(["\\])/g, '$1');

const plainForm: Form = {
  pieces: /"((?:\\["\\]|\\(?!["\\])|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'\\])|(\s+)|([^])/g,
  quoted: withoutEscapes,
  escaped: text => text,
};

/**
 * As programs of Windows read their command line, and with single quotes besides: backslashes are those of paths, but
 * right before a double quote, where two of them are one, and a single one takes the quote as it is.
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
 * The arguments in a line as people type it: blanks separate, quotes of either kind keep together, a backslash takes
 * the next quote, blank or backslash as it is. No shell reads it: `$HOME`, `*` and `;` are plain text.
 *
 * @param isWindows whether backslashes are those of paths (`\\server\data`): then they take a double quote alone
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

/** A line that `splitArguments` takes apart into these very arguments. */
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
