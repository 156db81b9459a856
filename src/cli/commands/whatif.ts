import {changeKinds, looksLikeChange, parseChange} from '../../core/what-if/changes/parse-change.js';
import type {Change} from '../../core/what-if/changes/change.js';
import {whatIf} from '../../core/what-if/what-if.js';
import {textOption, UsageError, type Command, type OptionValues} from '../command.js';
import {loadTrace} from '../load-trace.js';
import {selectionOf} from '../selection.js';
import {whatIfText} from '../whatif-output.js';

/** `gpu-lens whatif FILE`: what a step would take if something were different. */
export const whatIfCommand: Command = {
  name: 'whatif',
  usage: `whatif FILE [--step N] [--replay | --apply CHANGE…]\n      ${changeKinds.map(({usage}) => usage).join(', ')}`,
  summary: 'what a step would take if something were different, from a replay of the profile, and its critical path',
  options: {step: {type: 'string'}, replay: {type: 'boolean'}, apply: {type: 'string', multiple: true}},
  async run(context, words, options) {
    const {file, changes} = askedFor(words, options);
    const {step = null} = selectionOf({step: options['step']});
    const answer = whatIf(await loadTrace(file), step, changes);
    context.write(whatIfText(answer, changes.length > 0, context.format));
    if (context.format === 'csv') for (const {text} of answer.notes) context.tell(`Note: ${text}`);
  },
};

/** The file and the changes of a command line. Behind `--apply`, further changes stand among the files. @throws UsageError */
function askedFor(words: readonly string[], options: OptionValues): {file: string; changes: Change[]} {
  const asked = textOption(options['apply'])?.split('\n') ?? [];
  if (asked.length > 0 && options['replay'] === true) throw new UsageError('--replay takes no changes.');
  const isChange = (word: string) => asked.length > 0 && looksLikeChange(word);
  const [file, other] = words.filter(word => !isChange(word));
  // What is no change that there is, is said to be none.
  if (other !== undefined && asked.length > 0) changeOf(other);
  if (file === undefined || other !== undefined) throw new UsageError('whatif needs one file.');
  return {file, changes: [...asked, ...words.filter(isChange)].map(changeOf)};
}

/** @throws UsageError */
function changeOf(text: string): Change {
  const change = parseChange(text);
  if (typeof change === 'string') throw new UsageError(change);
  return change;
}
