import {basename} from 'node:path';
import {summaryHtml, summaryMarkdown} from '../../core/export/summary.js';
import {namesWritten, type NamesWritten} from '../../core/export/without-names.js';
import {narrowing} from '../../core/flame/flame-root.js';
import {flameTexts} from '../../core/flame/flame-export.js';
import {svgForPixels} from '../../core/flame/flame-svg.js';
import {parseTimeWindow} from '../../core/format/time-window-text.js';
import {flameGraph} from '../../core/questions/flame.js';
import {reportsText} from '../../core/reports/report-text.js';
import {textReports} from '../../core/reports/text-reports.js';
import {oneOf, textOption, UsageError, type Command} from '../command.js';
import {sourcesToBundle, writeBundle} from '../export-bundle.js';
import {flameOptions, flameQueryOf, flameUsage, queryOfProfile} from '../flame-query.js';
import {loadProfile, type LoadedProfile} from '../load-trace.js';
import {writeOutput} from '../output-file.js';
import {refuseInputAsOutput} from '../refuse-input-as-output.js';
import {exportParquet} from '../parquet-export.js';
import {paintSvg} from '../paint-svg.js';
import {profileSummary} from '../profile-summary.js';
import {refuseSelectionOfText, requireOriginOf} from '../selection.js';
import type {Selection} from '../../core/scope/selection.js';
import {untilStopped} from '../until-stopped.js';
import type {FlameQuery} from '../../core/flame/flame-graph.js';
import {isText} from '../../core/trace/text-table.js';
import {eventFormats, exportedPart, type ExportedFile} from '../../importers/exported-part.js';

const targets = [
  ...(['perfetto', 'pytorch', 'parquet', 'csv', 'html', 'markdown'] as const),
  ...(['speedscope', 'folded', 'svg', 'png'] as const),
] as const;
type Target = (typeof targets)[number];

/** `--to` names the format here, so a window has an option of its own. */
const optionsOfExport = Object.fromEntries(Object.entries(flameOptions).filter(([name]) => name !== 'from'));

/** `gpu-lens export FILE`: a profile as a file that other programs, or people without this one, can open. */
export const exportCommand: Command = {
  name: 'export',
  brief: 'A profile, or a part of it, in the format of another program',
  readsProfiles: true,
  showsNotes: true,
  usage: `export FILE --to ${targets.join('|')} -o OUT\n      ${flameUsage.replace('[--from NS] [--to NS]', '[--window FROM:TO]')} [--names ${namesWritten.join('|')}] [--source DIR]`,
  summary: `writes a file: perfetto, pytorch and csv have every slice, or those of the part that is selected; parquet has the tables of query,
      html and markdown a report, the others the flame graph.
      Of parquet -o names a folder, which gets a file for each table, or one NAME.parquet with a column "table".
      A file whose name ends in .gz is compressed.
      The options are those of the flame graph; the tables of a report take the selection alone.
      --names, in perfetto, pytorch and csv: hash writes the kind and a hash in place of each name, drop the kind alone. Both
      leave out arguments and paths. The hash’s key is new for each file, and not kept.
      --source, with perfetto or pytorch and -o OUT.zip, adds the files below DIR whose lines have figures: unpack it, and open
      the folder.
      A window is written 10:20ms, in milliseconds where no unit is named. Of a text, csv, html and markdown have its tables.`,
  options: {
    ...optionsOfExport,
    window: {type: 'string'},
    names: {type: 'string'},
    source: {type: 'string'},
    output: {type: 'string', short: 'o'},
  },
  formats: [],
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('export needs one file.');
    const {to: target, window, output, names: namesText, source, ...flame} = options;
    if (target === undefined) throw new UsageError(`export needs --to: ${targets.join(', ')}.`);
    const to = oneOf('to', target, targets, 'perfetto');
    if (typeof output !== 'string' || output === '') throw new UsageError('export needs -o and the file to write.');
    const names = namesOf(namesText, to);
    const folder = bundledFolder(source, to, names, output);
    const query = withWindow(flameQueryOf(flame), window);
    if (to === 'parquet' && Object.keys(partOf(query)).length > 0) {
      throw new UsageError('--to parquet writes the whole profile: it takes no selection.');
    }
    await refuseInputAsOutput(output, [file]);
    const profile = await loadProfile(file);
    const notes =
      to === 'parquet'
        ? await exportParquet(file, profile, output)
        : await exportFile(file, profile, queryOfProfile(profile.trace, query, flame['weight']), {
            to,
            output,
            names,
            folder,
          });
    for (const text of [...profile.trace.notes.map(note => note.text), ...notes]) context.tellNote(text);
  },
};

/** @throws UsageError */
function namesOf(text: string | boolean | undefined, to: Target): NamesWritten {
  const names = oneOf('names', text, namesWritten, 'keep');
  if (names !== 'keep' && !isOfEvents(to)) {
    throw new UsageError('--names hides names in perfetto, pytorch and csv.');
  }
  return names;
}

/** Returns messages about the written file. */
async function exportFile(
  file: string,
  profile: LoadedProfile,
  query: FlameQuery,
  {to, output, names, folder}: Wanted,
): Promise<readonly string[]> {
  const {parts, notes} = await fileOf(to, profile, query, basename(file), names);
  if (folder === null) {
    await writeOutput(output, parts);
    return notes;
  }
  const sources = await sourcesToBundle(file, profile, folder, partOf(query));
  const ending = to === 'perfetto' ? '.perfetto.json.gz' : '.pt.trace.json.gz';
  return [...notes, ...(await writeBundle(output, ending, parts, sources))];
}

/** The contents and the path of an export. */
interface Wanted {
  readonly to: Exclude<Target, 'parquet'>;
  readonly output: string;
  readonly names: NamesWritten;
  /** The folder of the bundled sources; null for none. */
  readonly folder: string | null;
}

/** Returns the folder whose sources are bundled with the events; null for none. @throws UsageError */
function bundledFolder(
  source: string | boolean | undefined,
  to: Target,
  names: NamesWritten,
  output: string,
): string | null {
  const folder = textOption(source);
  const isZip = /\.zip$/i.test(output);
  const isOfTrace = to === 'pytorch' || to === 'perfetto';
  if (folder === null) {
    if (isZip && isOfTrace)
      throw new UsageError('A .zip has the sources beside the profile: name their folder by --source DIR.');
    return null;
  }
  if (!isOfTrace) throw new UsageError('--source goes with --to pytorch or perfetto.');
  if (!isZip) throw new UsageError('With --source the output is a zip: -o OUT.zip.');
  if (names !== 'keep') throw new UsageError('--source gives names and sources away: it takes no --names.');
  return folder;
}

/** @throws UsageError */
function withWindow(query: FlameQuery, text: string | boolean | undefined): FlameQuery {
  if (typeof text !== 'string') return query;
  const window = parseTimeWindow(text);
  if (!window) throw new UsageError(`--window takes a time and a later one, such as 10:20ms, not "${text}".`);
  return {...query, selection: {...query.selection, ...window}};
}

async function fileOf(
  to: Exclude<Target, 'parquet'>,
  profile: LoadedProfile,
  query: FlameQuery,
  name: string,
  names: NamesWritten,
): Promise<ExportedFile> {
  const {trace} = profile;
  const selection = partOf(query);
  refuseSelectionOfText(trace, selection);
  if (isText(trace)) return {parts: await textsOfText(to, profile, name), notes: []};
  const isOfTables = to === 'html' || to === 'markdown';
  requireOriginOf(trace, isOfEvents(to) || isOfTables ? selection : narrowing(query.weight, selection));
  if (isOfEvents(to)) {
    return untilStopped(signal => exportedPart(profile.path, trace, {selection, to, names}, {signal}));
  }
  const graph = flameGraph(trace, query);
  const {notes} = graph;
  if (to === 'png') {
    const {svg, notes: cuts} = svgForPixels(graph);
    const picture = await paintSvg(svg);
    return {parts: [picture.png], notes: [...notes, ...cuts, ...picture.notes]};
  }
  if (!isOfTables) return {parts: flameTexts(graph, to, name), notes};
  const summary = await profileSummary(profile, graph, selection, name);
  return {parts: [to === 'html' ? summaryHtml(summary) : summaryMarkdown(summary)], notes};
}

/** Returns the part of the profile whose flame graph it is: a flame graph has the pass as an option of its own. */
function partOf({selection = {}, pass = 'all'}: FlameQuery): Selection {
  return pass === 'all' ? selection : {...selection, pass};
}

function isOfEvents(to: Target): to is (typeof eventFormats)[number] {
  return eventFormats.some(format => format === to);
}

/** The tables of a text. @throws UsageError for what needs events */
async function textsOfText(
  to: Exclude<Target, 'parquet'>,
  profile: LoadedProfile,
  name: string,
): Promise<Iterable<string>> {
  if (to === 'csv') return reportsText(textReports(profile.trace.textTables), 'csv');
  if (to === 'html') return [summaryHtml(await profileSummary(profile, null, {}, name))];
  if (to === 'markdown') return [summaryMarkdown(await profileSummary(profile, null, {}, name))];
  throw new UsageError(`${name} is a text with tables, which can be written --to csv, html or markdown; not ${to}.`);
}
