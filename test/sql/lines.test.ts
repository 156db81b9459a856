import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {knownLines} from '../../src/core/source/known-lines.js';
import {parseSidecar} from '../../src/core/source/sidecar.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {project} from '../support/project.js';
import {sqlRows} from '../support/sql-rows.js';
import {traceFromText} from '../support/trace-from-text.js';

describe('the table lines', () => {
  const trace = traceFromText(`
    range forward   =====   =====  ==
    call             A       B
    stream 7          AAA     BB
  `);
  const sidecar = parseSidecar(
    JSON.stringify({
      sites: [{name: 'forward', file: 'train.py', line: 12, count: 3}],
      modules: [
        {name: 'Net.mlp', class: 'model.Mlp', file: 'model.py', line: 5},
        {name: 'Net.out', class: 'torch.nn.Linear'},
      ],
      compiledCalls: [{name: 'Torch-Compiled Region: 0/0', file: 'train.py', line: 20}],
    }),
  );
  const lines = knownLines(sidecar, [{name: 'triton_fused', file: 'model.py', line: 9}]);

  it('has what was noted beside the profile', async () => {
    expect(await sqlRows(trace, 'SELECT * FROM lines', new TraceDatabase(lines))).toEqual([
      {name: 'forward', kind: 'tag', file: 'train.py', line: 12, count: 3},
      {name: 'nn.Module: Net.mlp', kind: 'module', file: 'model.py', line: 5, count: null},
      {name: 'triton_fused', kind: 'compiled kernel', file: 'model.py', line: 9, count: null},
      {name: 'Torch-Compiled Region: 0/0', kind: 'compiled call', file: 'train.py', line: 20, count: null},
    ]);
    expect(await sqlRows(trace, 'SELECT * FROM lines')).toEqual([]);
  });

  it('joins ranges, whose instances with GPU work are those of `gpu-lens ranges`', async () => {
    const sql = `SELECT l.file, l.line, sum(r.gpu_work_ns) AS work_ns, sum(r.has_gpu_work) AS with_work
                 FROM lines l JOIN ranges r ON r.name = l.name GROUP BY l.file, l.line`;
    const [row] = rangeRows(trace, 'name');
    expect(row).toMatchObject({gpuWorkNs: 5000, countWithWork: 2, count: 3});
    expect(await sqlRows(trace, sql, new TraceDatabase(lines))).toEqual([
      {file: 'train.py', line: 12, work_ns: 5000, with_work: 2},
    ]);
  });

  it('gives, by the manual’s query, work inside ranges of one name once to their line', async () => {
    const nested = traceFromText(`
      range forward   ==========
      range forward    =====
      call             A      B
      stream 7          AAA    BB
    `);
    const manual = readFileSync(join(project, 'docs', 'sql.md'), 'utf8');
    const [query = ''] = /^ {4}SELECT l\.file, l\.line, sum\(r\.[^]*?WHERE l\.kind = 'tag'.*$/m.exec(manual) ?? [];
    expect(await sqlRows(nested, query, new TraceDatabase(lines))).toEqual([
      {file: 'train.py', line: 12, gpu_self_ns: 5000, with_work: 2},
    ]);
  });
});
