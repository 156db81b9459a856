import {readFileSync} from 'node:fs';
import {seedPath} from './seeds.js';

/** One of the two tables that the notebook printed, with the text printed below it. */
export interface NotebookTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly (readonly [name: string, value: string])[];
  readonly fraction: string;
}

/** Returns the tables that the stored notebook printed: the MLP's and the attention's. */
export function notebookTables(): NotebookTable[] {
  const [, ...printed] = readFileSync(seedPath('002'), 'utf8').split(/^\*{14} \w+ layer estimates \*{14}$/m);
  return printed.map(text => {
    const lines = text.split('\n');
    const head = lines.findIndex(line => line.startsWith('Unnamed: 0,'));
    const end = lines.findIndex((line, at) => at > head && line === '');
    const cells = (line: string) => line.split(',').slice(1);
    return {
      columns: cells(lines[head] ?? ''),
      rows: lines.slice(head + 1, end).map(cells),
      sums: [...text.matchAll(/^(\w+) +(\d+\.\d+)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
      fraction: /^time spend in comms = (.*)$/m.exec(text)?.[1] ?? '',
    };
  });
}
