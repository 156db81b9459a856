import {replayAnswer} from '../../core/what-if/what-if.js';
import {UsageError, type Command} from '../command.js';
import {loadTrace} from '../load-trace.js';
import {selectionOf} from '../selection.js';
import {whatIfText} from '../whatif-output.js';

/** `gpu-lens whatif FILE`: what a step would take if something were different. */
export const whatIfCommand: Command = {
  name: 'whatif',
  usage: 'whatif FILE [--step N] [--replay]',
  summary: 'replays a profile by its durations and dependencies alone: what a step takes, and its critical path',
  options: {step: {type: 'string'}, replay: {type: 'boolean'}},
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('whatif needs one file.');
    const {step = null} = selectionOf({step: options['step']});
    const answer = replayAnswer(await loadTrace(file), step);
    context.write(whatIfText(answer, context.format));
    if (context.format === 'csv') for (const {text} of answer.notes) context.tell(`Note: ${text}`);
  },
};
