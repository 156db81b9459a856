import {greatest} from '../../core/table/extremes.js';
import {once} from 'node:events';
import {join} from 'node:path';
import {formatCount} from '../../core/format/count.js';
import {knownLines, type KnownLine} from '../../core/source/known-lines.js';
import {openTrace} from '../../importers/open-trace.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import {SqlClient} from '../../sql/client.js';
import type {SqlEnd, SqlProgress} from '../../sql/messages.js';
import {sqlTables} from '../../sql/schema.js';
import {captureOption, chosenCapture} from '../capture-option.js';
import {UsageError, type Command} from '../command.js';
import {kernelSitesOfProfile} from '../compiled-graphs.js';
import {readableProfile, type ReadableProfile} from '../load-trace.js';
import {lossStatement, tellLossCell} from '../losses.js';
import {memoryLimit} from '../memory-option.js';
import {QueryOutput} from '../query-output.js';

/** `gpu-lens query FILE "SELECT …"`: read-only SQL over the tables of a profile, in a process that can be killed. */
export const queryCommand: Command = {
  name: 'query',
  brief: 'SQL over the tables of a profile',
  readsProfiles: true,
  usage: 'query FILE "SELECT …" [--limit ROWS] [--capture FILE] | query --tables',
  summary: `SQL over the profile’s tables, which are only read: ${sqlTables.map(({name}) => name).join(', ')}`,
  options: {limit: {type: 'string'}, tables: {type: 'boolean'}, ...captureOption},
  async run(context, files, options) {
    if (options['tables'] === true) {
      if (files.length > 0) throw new UsageError('query --tables needs no file.');
      if (context.format === 'table') context.write(tablesText());
      else await writeTables(new QueryOutput(context.format, writeAll));
      return;
    }
    const [file, sql, ...others] = files;
    if (file === undefined || sql === undefined || others.length > 0) {
      throw new UsageError('query needs one file and one SQL statement in quotes.');
    }
    const limitRows = limitOf(options['limit']);
    const output = new QueryOutput(context.format, writeAll);
    const {end, losses} = await readableProfile(file, async profile =>
      runQuery(
        {...profile, lines: await linesFor(sql, file, profile)},
        sql,
        {...(limitRows !== null && {limitRows})},
        output,
      ),
    );
    await output.end();
    tellLossCell(file, losses);
    for (const note of endNotes(end)) context.tellNote(note);
  },
};

/** Returns the lines in the profile's sidecar. Reads nothing if the query does not name their table. */
async function linesFor(
  sql: string,
  file: string,
  {path, unpackedLimit, signal}: ReadableProfile,
): Promise<KnownLine[]> {
  if (!/\blines\b/i.test(sql)) return [];
  const sidecar = await readSidecar(file);
  const load = async () => ({path, trace: await openTrace(path, {signal, unpackedLimit, memoryLimit: memoryLimit()})});
  return knownLines(sidecar, await kernelSitesOfProfile(file, sidecar, load));
}

async function runQuery(
  {path, unpackedLimit, lines, signal, tell}: ReadableProfile & {readonly lines: readonly KnownLine[]},
  sql: string,
  limit: {readonly limitRows?: number},
  output: QueryOutput,
): Promise<{end: SqlEnd; losses: unknown}> {
  const client = new SqlClient(join(__dirname, 'sql.cjs'));
  try {
    const source = {
      path,
      unpackedLimit,
      memoryLimit: memoryLimit(),
      capture: chosenCapture(),
      lines,
      cache: null,
      cacheProgram: null,
    };
    const end = await client.query(source, sql, {
      ...limit,
      signal,
      onProgress: progress => {
        tell(progressText(progress));
      },
      onColumns: columns => {
        tell('\u001b[K');
        output.begin(columns);
      },
      onRows: rows => output.rows(rows),
    });
    // The process still has the profile: this reads nothing again.
    const [losses] = await client.cells(source, [lossStatement], {signal});
    return {end, losses};
  } finally {
    client.dispose();
  }
}

const stepText = {read: 'Reading', fill: 'Making tables', run: 'Running'} as const;

function progressText({step, fraction}: SqlProgress): string {
  return step === 'run' ? 'Running the query' : `${stepText[step]} ${String(Math.floor(100 * fraction))} %`;
}

/** Writes to standard output, and waits if its reader is slower than the query. */
async function writeAll(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** @throws UsageError */
function limitOf(value: string | boolean | undefined): number | null {
  if (typeof value !== 'string') return null;
  if (!/^\d+$/.test(value)) throw new UsageError(`--limit takes a whole number, not "${value}".`);
  return Number(value);
}

function endNotes({rowCount, sentRows, isCounted, cutTexts}: SqlEnd): string[] {
  const notes: string[] = [];
  if (rowCount > sentRows) {
    const all = `${isCounted ? '' : 'more than '}${formatCount(rowCount)}`;
    notes.push(`These are the first ${formatCount(sentRows)} of ${all} rows.`);
  }
  if (cutTexts > 0) notes.push(`${formatCount(cutTexts)} texts of more than a million characters were cut.`);
  return notes;
}

/** The same for programs: a row for each column. */
async function writeTables(output: QueryOutput): Promise<void> {
  output.begin(['table', 'table_about', 'column', 'column_about']);
  await output.rows(
    sqlTables.flatMap(table => table.columns.map(({name, about}) => [table.name, table.about, name, about])),
  );
  await output.end();
}

function tablesText(): string {
  return sqlTables
    .map(({name, about, columns}) => {
      const width = greatest(columns.map(column => column.name.length));
      const lines = columns.map(column => `    ${column.name.padEnd(width)}  ${column.about}\n`);
      return `${name}: ${about}\n${lines.join('')}`;
    })
    .join('\n');
}
