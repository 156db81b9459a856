import {basename} from 'node:path';
import {flameFormats, flameTexts} from '../../core/flame/flame-export.js';
import {narrowing} from '../../core/flame/flame-root.js';
import {flameGraph} from '../../core/questions/flame.js';
import {oneOf, UsageError, type Command} from '../command.js';
import {flameOptions, flameQueryOf, flameUsage, queryOfProfile} from '../flame-query.js';
import {loadTrace} from '../load-trace.js';
import {refuseText, requireOriginOf} from '../selection.js';

/** `gpu-lens flame FILE`: the flame graph, for other programs. */
export const flameCommand: Command = {
  name: 'flame',
  brief: 'The flame graph, as rows, a picture, or for other programs',
  readsProfiles: true,
  showsNotes: true,
  usage: `flame FILE [--format ${flameFormats.join('|')}]\n      ${flameUsage}`,
  summary: 'the flame graph as folded stacks (without --format), for speedscope, as a picture, or as rows',
  options: flameOptions,
  formats: flameFormats,
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('flame needs one file.');
    const format = oneOf('format', options['format'], flameFormats, 'folded');
    const query = flameQueryOf(options);
    const trace = await loadTrace(file);
    refuseText(trace, file, 'flame graph');
    const asked = queryOfProfile(trace, query, options['weight']);
    requireOriginOf(trace, narrowing(asked.weight, query.selection ?? {}));
    const graph = flameGraph(trace, asked);
    for (const text of flameTexts(graph, format, basename(file))) context.write(text);
    for (const text of [...trace.notes.map(note => note.text), ...graph.notes]) context.tellNote(text);
  },
};
