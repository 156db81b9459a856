import {pathAnswer} from '../../core/what-if/recorded/path-answer.js';
import {oneOf, textOption, UsageError, type Command} from '../command.js';
import {loadTrace} from '../load-trace.js';
import {pathRowKinds, pathText} from '../path-output.js';
import {selectionOf} from '../selection.js';

/** `gpu-lens critical-path FILE`: where the time of a step went, as recorded. */
export const criticalPathCommand: Command = {
  name: 'critical-path',
  brief: 'What a step waited for, and the slack of the rest',
  readsProfiles: true,
  usage: `critical-path FILE [--step N | --filter-nvtx RANGE[/INDEX]] [--by ${pathRowKinds.join('|')}]`,
  summary:
    'the longest chain of operators, calls and GPU operations that waited for each other, and the slack of all others',
  options: {step: {type: 'string'}, 'filter-nvtx': {type: 'string'}, by: {type: 'string'}},
  async run(context, files, options) {
    const [file] = files;
    if (file === undefined || files.length > 1) throw new UsageError('critical-path needs one file.');
    const by = oneOf('by', options['by'], pathRowKinds, 'kind');
    const range = textOption(options['filter-nvtx']);
    const {step = null} = selectionOf({step: options['step']});
    if (range !== null && step !== null) throw new UsageError('Name a step or a range, not both.');
    const answer = pathAnswer(await loadTrace(file), step, range);
    context.write(pathText(answer, by, context.format));
    if (context.format === 'csv') for (const {text} of answer.notes) context.tellNote(text);
  },
};
