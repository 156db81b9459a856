import {describe, expect, it} from 'vitest';
import {fileContents, mostSourceBytes} from '../../src/source/file-contents.js';

const code = (...source: string[]) => ({cell_type: 'code', source});
const notebook = (cells: readonly unknown[], language: unknown = 'python') =>
  JSON.stringify({cells, metadata: {language_info: {name: language}}, nbformat: 4});
const tagsOf = async (text: string) =>
  (await fileContents('/w/a.ipynb', text)).tags.map(({pattern, cell, line, endLine, offset}) => [
    pattern?.join('*'),
    ...[cell, line, endLine, offset],
  ]);

describe('fileContents of a notebook', () => {
  const cells = [
    {cell_type: 'markdown', source: 'with record_function("text"): pass'},
    code('%load_ext x\n', 'from torch.profiler import record_function as r\n', '!nvidia-smi'),
    code('%%bash\n', 'r("shell")'),
    {cell_type: 'code', source: 'x = 1\r\nwith r(f"layer_{i}"):\r\n    pass'},
    code('class Net(torch.nn.Module):\n', '    def forward(self):\n', '        with r("last"): pass\n'),
  ];

  it('has the tags of its cells, by the imports of those above', async () => {
    expect(await tagsOf(notebook(cells))).toEqual([
      ['layer_*', 3, 2, 3, 11],
      ['last', 4, 3, 3, 64],
    ]);
    const {modules} = await fileContents('/w/a.ipynb', notebook(cells));
    expect(modules).toMatchObject([{className: 'Net', cell: 4, line: 2}]);
  });

  it('ends what is open in a cell with the cell', async () => {
    const open = [code('import torch\n', 'torch.cuda.nvtx.range_push("a")'), code('torch.cuda.nvtx.range_pop()')];
    expect(await tagsOf(notebook(open))).toEqual([['a', 0, 2, 2, 13]]);
  });

  it('has those of a cell that is not whole Python, and of the cells around it', async () => {
    const imports = code('from torch.profiler import record_function as r\n', 'name = "a"');
    const broken = code('import torch as t\n', 'with r("in it"): pass\n', 'text = """never closed\n');
    const below = code('with r(name): pass\n', 'with t.profiler.record_function("b"): pass');
    const parenthesis = code('x = f(1,\n', 'with r("c"): pass');
    expect(await tagsOf(notebook([imports, broken, below, parenthesis, code('with r("d"): pass')]))).toEqual([
      ['in it', 1, 2, 2, 23],
      ['a', 2, 1, 1, 5],
      ['b', 2, 2, 2, 24],
      ['c', 3, 2, 2, 14],
      ['d', 4, 1, 1, 5],
    ]);
  });

  it('has those of cells that IPython times or captures, and none that another program runs', async () => {
    const imports = code('from torch.profiler import record_function as r');
    const magic = (line: string) => code(`${line}\n`, 'with r("a"): pass');
    const found = ['%%time', '%%timeit -n 3', '%%capture out', '\n%%prun', '%%bash', '%%writefile a.py', '%% time'];
    expect(await tagsOf(notebook([imports, ...found.map(magic)]))).toEqual([
      ['a', 1, 2, 2, 6],
      ['a', 2, 2, 2, 6],
      ['a', 3, 2, 2, 6],
      ['a', 4, 3, 3, 7],
    ]);
  });

  it('has none where it is of another language, or no notebook', async () => {
    expect(await tagsOf(notebook(cells, 'R'))).toEqual([]);
    for (const text of ['', '{', '[]', '{"cells": 1}', '{"cells": [null, 1, {"cell_type": "code", "source": 1}]}']) {
      expect(await tagsOf(text)).toEqual([]);
    }
  });

  it('may be longer than other sources, and is looked for by its name', () => {
    expect(mostSourceBytes('/w/a.ipynb')).toBeGreaterThan(mostSourceBytes('/w/a.py'));
    expect(mostSourceBytes('/w/a.txt')).toBe(0);
  });
});
