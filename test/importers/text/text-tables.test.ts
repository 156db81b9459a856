import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {columnHeader} from '../../../src/core/reports/report.js';
import {reportsText} from '../../../src/core/reports/report-text.js';
import {textReports} from '../../../src/core/reports/text-reports.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {parseQuantity} from '../../../src/importers/text/quantity.js';
import {readTextTables} from '../../../src/importers/text/read-text-tables.js';
import {reportOfTrace} from '../../support/make-report.js';
import {project, temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');

const kernels = `
 Time (%)  Total Time (ns)  Instances  Name
 --------  ---------------  ---------  ----
     60.0            1,200          2  gemm
     40.0              800          1  copy
`;

function texts(text: string): string[][] {
  return readTextTables(text).tables.flatMap(({rows}) => rows.map(cells => cells.map(cell => cell.text)));
}

describe('parseQuantity(text)', () => {
  it('moves decimals to ns and never multiplies: every digit stays', () => {
    const parsed = ['83.241 ms', '1,951,345,647', '24.129s', '358.017 μs', '0.000us', '-3.07 Gb', '60.4%', '+2.2'];
    expect(parsed.map(text => parseQuantity(text)?.value)).toEqual(
      [83_241_000, 1_951_345_647, 24_129_000_000, 358_017, 0, -3_296_387_400, 60.4, 2.2].map((value, at) =>
        at === 5 ? Math.round(-3.07 * 2 ** 30) : value,
      ),
    );
  });

  it('gives null for what is no quantity', () => {
    for (const text of ['', 'TBD', '1069.6msa', '1,23', '-', '.', '5 apples', '1e999', '9'.repeat(100)]) {
      expect(parseQuantity(text)).toBeNull();
    }
  });
});

describe('readTextTables(text)', () => {
  it('cuts rows whose indent was lost at their blanks', () => {
    expect(texts(kernels.replace('     60.0', '60.0'))).toEqual([
      ['60.0', '1,200', '2', 'gemm'],
      ['40.0', '800', '1', 'copy'],
    ]);
  });

  it('says which rows do not fit the columns, and reads the others', () => {
    const {tables, notes} = readTextTables(kernels.replace('copy', 'copy\nwrapped line\n  50.0  1  2  x  y  z'));
    expect(tables[0]?.rows).toHaveLength(2);
    expect(notes.map(({text}) => text)).toEqual(['2 table rows do not fit the columns and were left out: lines 6, 7.']);
  });

  it('reads columns by letters where a name has emoji', () => {
    expect(texts(kernels.replace('gemm', '🚀 gemm'))[0]?.at(-1)).toBe('🚀 gemm');
  });

  it('reads a table of HTML as a browser does: ends that are left out, references, marks in attributes', () => {
    const html = `<table class="a > b"><!-- <tr><td>no</td></tr> -->
      <tr><th>Model<th>Fwd &lt;ms&gt;<th title='">'>Bwd (ms)
      <tr><td><b>small</b> &#215;2<td>33.29&nbsp;&plusmn;&nbsp;0.71<td>60.1
    </table>`;
    const [table] = readTextTables(html).tables;
    expect(table?.columns.map(({title}) => title)).toEqual(['Model', 'Fwd <ms>', 'Bwd']);
    expect(table?.rows.map(cells => cells.map(({text}) => text))).toEqual([['small ×2', '33.29 ± 0.71', '60.1']]);
  });

  it('passes over tables of anything else', () => {
    expect(readTextTables('| a | b |\n|---|---|\n| 1 | 2 |\n\nshape [4 512 768]\n').tables).toEqual([]);
  });

  it('tells a table of the CUDA API from one of the operating system by its names', () => {
    const calls = kernels.replace('Instances', 'Num Calls');
    expect(readTextTables(calls.replace('gemm', 'cudaMalloc')).tables[0]?.report).toBe('cuda_api_sum');
    expect(readTextTables(calls).tables[0]?.report).toBe('osrt_sum');
  });

  it('has what stands behind a ± in a column of its own', () => {
    const [report] = textReports(readTextTables('| Model | Fwd (ms) |\n|---|---|\n| small | 33.29 ± 0.71 |\n').tables);
    expect(report?.columns.map(columnHeader)).toEqual(['Model', 'Fwd (ns)', 'Fwd ± (ns)']);
    expect(report?.rows.cells(0)).toEqual(['small', 33_290_000, 710_000]);
  });

  it('numbers tables of one name, or calls them by their runs', () => {
    const names = (text: string) => textReports(readTextTables(text).tables).map(({name}) => name);
    expect(names(kernels + kernels)).toEqual(['cuda_gpu_kern_sum#1', 'cuda_gpu_kern_sum#2']);
    expect(names(`a.nsys-rep\n${kernels}\nb.nsys-rep\n${kernels}`)).toEqual([
      'cuda_gpu_kern_sum@a',
      'cuda_gpu_kern_sum@b',
    ]);
  });

  it.each(['cuda_gpu_kern_sum', 'cuda_api_sum', 'nvtx_sum', 'key_averages'])(
    'reads %s back as gpu-lens itself has printed it',
    async name => {
      const report = reportOfTrace(await openTrace(sample), name);
      const [printed] = readTextTables([...reportsText([report], 'table')].join('')).tables;
      expect(printed?.report ?? name).toBe(name);
      expect(printed?.rows.length ?? 0).toBe(report.rows.length);
      const again = printed ? textReports([printed]) : [];
      expect([...reportsText(again, 'table')].join('').split('\n').slice(3)).toEqual(
        printed ? [...reportsText([report], 'table')].join('').split('\n').slice(3) : [''].slice(1),
      );
    },
  );

  it('takes time in proportion to the text, whatever the text', () => {
    const hostile = [
      '-- '.repeat(300_000),
      '| '.repeat(300_000),
      `${'|a'.repeat(150)}|\n${'|-'.repeat(150)}|\n${`${'|\\'.repeat(150)}|\n`.repeat(2000)}`,
      '<table><tr><td colspan=9999 rowspan=9999>'.repeat(20_000),
      `<table><tr>${'<th colspan=999>'.repeat(5000)}<tr>${'<td>'.repeat(5000)}</table>`,
      'x [1.5\n'.repeat(100_000),
      `x [1.5 ${'1 '.repeat(300_000)}`,
      `${'a'.repeat(60)} mean `.repeat(20_000),
      '*'.repeat(300_000),
      '<'.repeat(500_000),
      `x${' '.repeat(4999)}\n`.repeat(2000),
      `x [1.5${' '.repeat(4990)}y\n`.repeat(2000),
      `x [1.5\n${' '.repeat(4990)}y\n`.repeat(1000),
      `| a | b |\n| ${'-'.repeat(90_000)}x\n`.repeat(20),
      '<table>\n'.repeat(200_000),
    ];
    // What takes time by the square of a text would take minutes, and so longer than a test may.
    for (const text of hostile) expect(readTextTables(text).tables).toHaveLength(0);
  });
});

describe('openTrace(text)', () => {
  const open = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content);
    return openTrace(join(folder, name));
  };

  it('reads UTF-16 as PowerShell writes it, and compressed texts', async () => {
    const utf16 = await open('utf16.txt', Buffer.from(`\ufeff${kernels}`, 'utf16le'));
    const packed = await open('packed.log.gz', gzipSync(kernels));
    expect([utf16, packed].map(trace => trace.textTables[0]?.rows.length)).toEqual([2, 2]);
  });

  it.each([
    ['Processing [result_2_7B.sqlite] with [/opt/nsys/reports/cuda_gpu_kern_sum.py]...', 'result_2_7B'],
    ['Processing [/home/me/out/run.sqlite]', 'run'],
    ['(run.nsys-rep)', 'run'],
    ['`run.nsys-rep`', 'run'],
    ['run[1].sqlite', 'run[1]'],
    ['Generating [old] run.sqlite', 'run'],
    ['Processing [a]b.sqlite', '[a]b'],
    ['Processing [(.sqlite', ''],
  ])('name the run of the file above them, without a bracket around it: %s', async (line, run) => {
    const {textTables} = await open('nsys.log', `${line}\n${kernels}`);
    expect(textTables[0]?.run ?? '').toBe(run);
  });

  it('takes a log that begins as nsys does for a text, not for JSON', async () => {
    const {textTables} = await open('nsys.log', `[1/8] [====100%] run.nsys-rep\n${kernels}`);
    expect(textTables[0]?.run).toBe('run');
  });
});
