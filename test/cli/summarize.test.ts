import {copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {parquetReadObjects} from 'hyparquet';
import {describe, expect, it} from 'vitest';
import {ranksOfSummary} from '../../src/core/job/ranks-of-summary.js';
import {ranksOfTrace} from '../../src/core/job/ranks-of-trace.js';
import {summaryColumns} from '../../src/core/job/summary-table.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {readParquet} from '../../src/parquet/read-parquet.js';
import {summaryBytes} from '../../src/parquet/write-summary.js';
import {json, run} from '../support/command-line.js';
import {itEachFile} from '../support/each-file.js';
import {ownProfiles} from '../support/own-profiles.js';
import {project, temporaryFolder} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';
import {skewedRanks} from '../support/skewed-ranks.js';

const folder = temporaryFolder();
const gloo = join(project, 'test', 'fixtures', 'gloo');
const own = ownProfiles(folder);

/** The summaries of some profiles, and what `job` says of both. */
function jobsOf(name: string, files: readonly string[]): {ofProfiles: string; ofSummaries: string} {
  const out = join(folder, name);
  rmSync(out, {recursive: true, force: true});
  mkdirSync(out);
  const summaries = files.map(file => join(out, `${basename(file)}.parquet`));
  files.forEach((file, at) => {
    expect(run('summarize', file, '-o', summaries[at] ?? '')).toEqual({status: 0, stdout: '', stderr: ''});
  });
  const [ofProfiles, ofSummaries] = [files, summaries].map(paths => run('job', ...paths, '--format', 'json').stdout);
  return {ofProfiles: ofProfiles ?? '', ofSummaries: ofSummaries ?? ''};
}

describe('gpu-lens summarize', () => {
  it('writes summaries of which job says the same as of the profiles: real ranks on the CPU', () => {
    const files = readdirSync(gloo).filter(name => name.endsWith('.json.gz'));
    const {ofProfiles, ofSummaries} = jobsOf(
      'gloo',
      files.map(name => join(gloo, name)),
    );
    expect(files.length).toBeGreaterThan(2);
    expect(ofProfiles).toContain('"all_gather"');
    expect(ofSummaries).toBe(ofProfiles);
  });

  it('writes summaries of which job says the same as of the profiles: made ranks', () => {
    const {ofProfiles, ofSummaries} = jobsOf('made', skewedRanks(folder, 3).files);
    expect(ofProfiles).toContain('"collectives"');
    expect(ofSummaries).toBe(ofProfiles);
  });

  itEachFile([...own.kineto, ...own.nsys, ...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])(
    'keeps all that a job knows of a profile: $name',
    async ({path, name}) => {
      const trace = await openTrace(path);
      const details = await loadReportDetails(path, trace, new Set(['collectives']));
      const ranks = ranksOfTrace({name, trace, details}, 5);
      const bytes = Buffer.concat([...summaryBytes(ranks)]);
      const {columns, rows} = await readParquet(
        bytes,
        summaryColumns.map(column => column.name),
      );
      const kept = ranksOfSummary(columns, rows, 5);
      expect(kept).toEqual(ranks);
    },
  );

  itEachFile(dataFiles('kineto', 'ddp-rank-0-of-128.json.gz'))('of two ranks of 128 likewise: $name', ({path}) => {
    const {ofProfiles, ofSummaries} = jobsOf('two', [path, path.replace('rank-0', 'rank-1')]);
    expect(ofProfiles).toContain('"all_to_all"');
    expect(ofSummaries).toBe(ofProfiles);
  });

  it('writes the summaries of a folder into a folder, and names what it leaves out', () => {
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    for (const name of readdirSync(gloo)) copyFileSync(join(gloo, name), join(mixed, name));
    writeFileSync(join(mixed, 'config.json'), '{"lr": 0.1}');
    const out = join(folder, 'summaries');
    const {status, stderr} = run('summarize', mixed, '-o', out);
    expect(status).toBe(0);
    expect(stderr).toContain('config.json was left out:');
    expect(readdirSync(out)).toHaveLength(3);
    expect(json('job', out)).toEqual(json('job', gloo));
  });

  it('may lie beside its profile, which job then need not read', () => {
    const both = join(folder, 'both');
    mkdirSync(both);
    for (const name of readdirSync(gloo)) copyFileSync(join(gloo, name), join(both, name));
    expect(run('summarize', both, '-o', both)).toMatchObject({status: 0});
    const {notes, ...job} = JSON.parse(run('job', both, '--format', 'json').stdout) as Record<string, unknown>;
    const {notes: otherNotes, ...expected} = json('job', gloo) as Record<string, unknown>;
    expect(job).toEqual(expected);
    expect(notes).toHaveLength((otherNotes as unknown[]).length + 3);
  });

  it('names each column, which another reader of Parquet finds with its values', async () => {
    const [file = ''] = own.kineto.map(({path}) => path);
    const out = join(folder, 'one.parquet');
    expect(run('summarize', file, '-o', out).status).toBe(0);
    const bytes = readFileSync(out);
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(Object.keys(rows[0] ?? {})).toEqual(summaryColumns.map(({name}) => name));
    const kernels = json('query', file, 'SELECT name, count(*) n, sum(duration_ns) ns FROM kernels GROUP BY name');
    const found = rows
      .filter(({kind}) => kind === 'kernel')
      .map(row => ({name: row['name'] as string, n: Number(row['count']), ns: Number(row['gpu_work_ns'])}));
    expect(new Set(found.map(row => JSON.stringify(row)))).toEqual(
      new Set((kernels as object[]).map(row => JSON.stringify(row))),
    );
  });

  it('is told in one sentence where a summary is damaged, no summary, or has nowhere to go', () => {
    const [file = ''] = skewedRanks(folder, 5).files;
    const out = join(folder, 'cut.parquet');
    expect(run('summarize', file, '-o', out).status).toBe(0);
    truncateSync(out, 500);
    expect(run('job', out)).toEqual({
      ...{status: 1, stdout: ''},
      stderr: 'gpu-lens: cut.parquet is not a readable summary of a rank: its end is cut off.\n',
    });
    const tables = join(folder, 'tables.parquet');
    expect(run('export', file, '--to', 'parquet', '-o', tables).status).toBe(0);
    expect(run('job', tables).stderr).toBe(
      'gpu-lens: tables.parquet is not a readable summary of a rank: it has no row of the kind "rank".\n',
    );
    expect(run('summarize', file).status).toBe(2);
    expect(run('summarize').status).toBe(2);
    expect(run('summarize', file, file, '-o', out).status).toBe(2);
    expect(run('summarize', join(folder, 'nothing.json'), '-o', out)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nothing.json') as string,
    });
    expect(run('summarize', out, '-o', join(folder, 'again.parquet'))).toMatchObject({
      status: 1,
      stderr: 'gpu-lens: cut.parquet is a Parquet file. If it is a summary of a rank, gpu-lens job reads it.\n',
    });
  });
});
