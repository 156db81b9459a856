/** One general way to improve a line of Python, independent of the script. */
export interface Rewrite {
  readonly name: string;
  /** Returns the script with the improved line; null if this rewrite does not apply to the line. */
  readonly apply: (lines: readonly string[], at: number) => readonly string[] | null;
}

/** The rewrites of the scripted client. None contains the name of a script, of a variable in it, or a line number. */
export const rewrites: readonly Rewrite[] = [
  inLine(
    'values of a tensor one by one',
    /\[float\(one\) for one in ([\w.[\]()]+)\.flatten\(\)\]/,
    '$1.flatten().tolist()',
  ),
  inLine('a model called for each sample', /torch\.stack\(\[(model)\(one\) for one in (\w+)\]\)/, '$1($2)'),
  inLine('rows scaled one by one', /torch\.stack\(\[row \* (\w+) for row in ([\w[\]:]+)\]\)/, '$2 * $1'),
  inLine(
    'sums from the start, each anew',
    /torch\.stack\(\[(\w+)\[: end \+ 1\]\.sum\(\) for end in range\(len\(\1\)\)\]\)/,
    '$1.cumsum(0)',
  ),
  inLine('all pairs compared', /\((\w+)\[:, None\] == (\w+)\)\.any\(1\)/, 'torch.isin($1, $2)'),
  inLine(
    'a product with ones and zeros',
    /torch\.nn\.functional\.one_hot\((\w+), len\((\w+)\)\)\.float\(\) @ \2/,
    '$2[$1]',
  ),
  inLine('sorted for its largest', /torch\.sort\((.+), descending=True\)\.values\[0\]/, '$1.max()'),
  {name: 'the same line twice', apply: withoutTwin},
  {name: 'a file loaded in each step', apply: loadedBefore},
  {name: 'a function that sleeps', apply: awake},
];

function inLine(name: string, pattern: RegExp, by: string): Rewrite {
  return {
    name,
    apply: (lines, at) => {
      const line = lines[at] ?? '';
      return pattern.test(line) ? lines.with(at, line.replace(pattern, by)) : null;
    },
  };
}

type Mended = readonly string[] | null;

function withoutTwin(lines: readonly string[], at: number): Mended {
  const other = [at + 1, at - 1].find(place => lines[place] === lines[at]);
  return other === undefined || lines[at] === '' ? null : lines.toSpliced(other, 1);
}

function loadedBefore(lines: readonly string[], at: number): Mended {
  const line = lines[at] ?? '';
  const loop = lines.slice(0, at).findLastIndex(above => above.startsWith('for '));
  if (loop < 0 || !/^ {4}\w+ = torch\.load\(\w+\)$/.test(line)) return null;
  return lines.toSpliced(at, 1).toSpliced(loop, 0, line.trimStart());
}

function awake(lines: readonly string[], at: number): Mended {
  if (!(lines[at] ?? '').startsWith('def ')) return null;
  const end = lines.findIndex((line, place) => place > at && line !== '' && !line.startsWith(' '));
  const sleep = lines.findIndex((line, place) => place > at && place < end && /^ +time\.sleep\(/.test(line));
  return sleep < 0 ? null : lines.toSpliced(sleep, 1);
}
