import {join} from 'node:path';
import {formatCount} from '../core/format/count.js';
import {messagesFileName, writeRunMessage, type RunMessage} from '../launch/run/run-messages.js';
import type {ProfileSurroundings} from '../launch/run/profile-surroundings.js';
import {textOption, type CommandContext, type OptionValues} from './command.js';
import {nsysHints, nsysLimitMs} from './nsys-environment.js';

/** Tells an editor in its file, or people on standard error. */
export function messenger(
  context: CommandContext,
  folder: string | boolean | undefined,
): (message: RunMessage) => void {
  if (typeof folder === 'string') {
    const file = join(folder, messagesFileName(process.pid));
    return message => {
      writeRunMessage(file, message);
    };
  }
  return message => {
    if (message.message === 'progress') context.tellProgress(`gpu-lens: ${message.text}`);
    if (message.message === 'no-step') {
      const what = `No step was found for ${formatCount(message.seconds)} s`;
      context.tell(`gpu-lens: ${what}; --step window records a window of time, whatever the command does.`);
    }
  };
}

/** What a run needs of this command line. */
export function runSurroundings(
  options: OptionValues,
  signals: Pick<ProfileSurroundings, 'signal' | 'abandon'>,
  tell: (message: RunMessage) => void,
  stdout: ProfileSurroundings['stdout'],
): Omit<ProfileSurroundings, 'onNoStep'> {
  return {
    runner: join(__dirname, '..', 'src', 'runner'),
    python: textOption(options['python']),
    nsys: nsysHints(),
    nsysLimitMs: nsysLimitMs(),
    stdout,
    ...signals,
    onProgress: text => {
      tell({message: 'progress', text});
    },
  };
}

/** Says that a command line made no sense: an editor is told also why its task's does not. */
export function tellFailure(tell: (message: RunMessage) => void, sentence: string): void {
  const result = {profiles: [], status: null, isCancelled: false, sentences: [sentence], notes: [], tail: []};
  tell({message: 'ended', result});
}
