import {basename} from 'node:path';
import {perfettoJson} from '../../core/export/perfetto-json.js';
import {slicesCsv} from '../../core/export/slices-csv.js';
import {summaryHtml, summaryMarkdown} from '../../core/export/summary.js';
import {flameTexts} from '../../core/flame/flame-export.js';
import {flameGraph} from '../../core/queries/flame.js';
import {oneOf, UsageError, type Command} from '../command.js';
import {flameOptions, flameQueryOf, flameUsage} from '../flame-query.js';
import {loadProfile, type LoadedProfile} from '../load-trace.js';
import {writeOutput} from '../output-file.js';
import {profileSummary} from '../profile-summary.js';
import type {FlameQuery} from '../../core/flame/flame-graph.js';

const targets = ['perfetto', 'csv', 'html', 'markdown', 'speedscope', 'folded', 'svg'] as const;
type Target = (typeof targets)[number];

/** `--to` names the format here, so there is no window to select. */
const optionsOfExport = Object.fromEntries(Object.entries(flameOptions).filter(([name]) => name !== 'from'));

/** `gpu-lens export FILE`: a profile as a file that other programs, or people without this one, can open. */
export const exportCommand: Command = {
  name: 'export',
  usage: `export FILE --to ${targets.join('|')} -o OUT\n      ${flameUsage.replace('[--from NS] [--to NS] ', '')}`,
  summary: `writes a file: perfetto and csv have every slice, html and markdown a report, the others the flame graph.
      The options are those of the flame graph; the tables of a report take the selection alone.`,
  options: {...optionsOfExport, output: {type: 'string', short: 'o'}},
  formats: [],
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('export needs one file.');
    const {to: target, ...flame} = options;
    if (target === undefined) throw new UsageError(`export needs --to: ${targets.join(', ')}.`);
    const to = oneOf('to', target, targets, 'perfetto');
    const {output} = options;
    if (typeof output !== 'string' || output === '') throw new UsageError('export needs -o and the file to write.');
    const query = flameQueryOf(flame);
    if ((to === 'perfetto' || to === 'csv') && Object.keys(query.selection ?? {}).length > 0) {
      throw new UsageError(`--to ${to} writes the whole profile: it takes no selection.`);
    }
    const profile = await loadProfile(file);
    await writeOutput(output, await textsOf(to, profile, query, basename(file)));
    for (const {text} of profile.trace.notes) context.tell(`Note: ${text}`);
  },
};

async function textsOf(to: Target, profile: LoadedProfile, query: FlameQuery, name: string): Promise<Iterable<string>> {
  switch (to) {
    case 'perfetto':
      return perfettoJson(profile.trace);
    case 'csv':
      return slicesCsv(profile.trace);
    case 'html':
      return [summaryHtml(await profileSummary(profile, query, name))];
    case 'markdown':
      return [summaryMarkdown(await profileSummary(profile, query, name))];
    default:
      return flameTexts(flameGraph(profile.trace, query), to, name);
  }
}
