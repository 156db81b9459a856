import {UsageError, type Command} from '../command.js';
import {completionsOf, shellScripts} from '../completion.js';

type Shell = keyof typeof shellScripts;
const shells = Object.keys(shellScripts) as Shell[];

/** `gpu-lens completion SHELL`: what a shell reads to complete command lines of these commands, and of itself. */
export function completionCommand(others: readonly Command[]): Command {
  const command: Command = {
    name: 'completion',
    brief: `Completion of commands and options for ${shells.join(', ')}`,
    usage: `completion ${shells.join('|')}`,
    summary: `writes a script that your shell reads; a comment at its top says where to put it. For bash, now:
      source <(gpu-lens completion bash)`,
    options: {words: {type: 'boolean'}},
    words: shells,
    run(context, words, options) {
      if (options['words'] === true) {
        for (const word of completionsOf([...others, command], words)) context.write(`${word}\n`);
        return Promise.resolve();
      }
      const shell = shells.find(name => words.length === 1 && name === words[0]);
      if (shell === undefined) throw new UsageError(`completion needs one of ${shells.join(', ')}.`);
      context.write(shellScripts[shell]);
      return Promise.resolve();
    },
  };
  return command;
}
