import {isMainThread} from 'node:worker_threads';
import {terminalJson, writeExactly} from '../core/format/cells.js';
import {describeError, storyOf, TraceError} from '../core/base/errors.js';
import {captureOption, chooseCapture} from './capture-option.js';
import {chooseMemoryLimit, withMemoryHistory} from './memory-option.js';
import {oneOf, UsageError, type Command, type CommandContext} from './command.js';
import {completionCommand} from './commands/completion.js';
import {answerFigures} from './figures-worker.js';
import {commandHelp, programHelp} from './help.js';
import {chooseLosses} from './losses.js';
import {manualPage} from './manual-page.js';
import {ownCommands} from './own-commands.js';
import {parseOptions} from './parse-options.js';
import {programVersion, versionLine} from './program-version.js';
import {outputFormats} from './report.js';
import {isNodeNewEnough, runInOwnNode} from './right-node.js';
import {withStandardInput} from './standard-input.js';
import {chooseVerbosity, showsErrorStory, tell, tellNote, tellProgress} from './talk.js';
import {isJobRunning} from './until-stopped.js';

const commands = [...ownCommands, completionCommand(ownCommands)];

const exitStatus = {done: 0, failed: 1, usage: 2} as const;

/** Runs one command line; returns the exit status. Data goes to standard output, all else to standard error. */
async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '') {
    process.stderr.write(programHelp(commands));
    return exitStatus.usage;
  }
  const own = ofProgram(args);
  if (own !== null) {
    process.stdout.write(own);
    return exitStatus.done;
  }
  try {
    const command = commandNamed(name === 'help' ? (rest.at(0) ?? '') : name);
    if (name === 'help' || asksForHelp(rest)) {
      process.stdout.write(commandHelp(command));
      return exitStatus.done;
    }
    return await runCommand(command, rest);
  } catch (error) {
    if (error instanceof UsageError) {
      const of = commands.some(command => command.name === name) ? `${name} ` : '';
      tell(`gpu-lens: ${error.message} See gpu-lens ${of}--help.`, 'failure');
      return exitStatus.usage;
    }
    return tellFailure(error);
  }
}

/** Returns the program's own help or version, if no command is named. */
function ofProgram([name, command]: readonly string[]): string | null {
  if (name === '--version' || name === '-V') return versionLine();
  if (name === 'help' && command === '--man') return manualPage(commands, programVersion());
  const isHelp = name === '--help' || name === '-h' || (name === 'help' && /^(-h|--help)?$/.test(command ?? ''));
  return isHelp ? programHelp(commands) : null;
}

/** @throws UsageError */
function commandNamed(name: string): Command {
  const command = commands.find(candidate => candidate.name === name);
  if (!command) throw new UsageError(`There is no command "${name}".`);
  return command;
}

/** Everything after `--` belongs to the command that is run. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some(argument => argument === '--help' || argument === '-h');
}

/** The error of standard output while a job ran; null for none. */
let outputError: NodeJS.ErrnoException | null = null;

/** Prints why a command failed; returns the exit status. */
function tellFailure(error: unknown): number {
  // A job that cannot write is cancelled.
  const isCancelled = error instanceof TraceError && error.code.endsWith('/cancelled');
  if (outputError !== null && isCancelled) return tellUnwritable(outputError);
  tellFault(error);
  return exitStatus.failed;
}

/** Prints why standard output cannot be written; returns the exit status. */
function tellUnwritable({code, message}: NodeJS.ErrnoException): number {
  // A reader that has read enough (head, less) closes the pipe: that is not an error.
  if (code === 'EPIPE') return exitStatus.done;
  tellFault(new TraceError('file/unwritable', `Standard output cannot be written: ${message}.`));
  return exitStatus.failed;
}

/** Prints the error in one sentence; with its stack only if the user asks for it. */
function tellFault(error: unknown): void {
  const {code, message} = describeError(error, 'internal');
  const hasStory = showsErrorStory();
  const advice = code === 'internal' && !hasStory ? ' (GPU_LENS_DEBUG=1 shows where)' : '';
  tell(`gpu-lens: ${message}${advice}`, 'failure');
  if (hasStory) for (const line of storyOf(error).split('\n')) tell(line);
}

async function runCommand(command: Command, given: string[]): Promise<number> {
  const args = 'memory-history' in command.options ? withMemoryHistory(given) : given;
  const {values, positionals} = parseOptions(command, args);
  chooseVerbosity(values);
  chooseMemoryLimit(values['memory-limit']);
  chooseLosses(command.showsNotes === true);
  // In commands that record, this option sets what nsys captures.
  if (command.options['capture'] === captureOption.capture) chooseCapture(values['capture']);
  writeExactly(values['exact'] === true);
  const format =
    (command.formats ?? []).length > 0 ? 'table' : oneOf('format', values['format'], outputFormats, 'table');
  let status: number = exitStatus.done;
  const context: CommandContext = {
    format,
    write: text => process.stdout.write(format === 'json' ? terminalJson(text) : text),
    tell: text => {
      tell(text);
    },
    tellNote,
    tellProgress,
    exitWith: own => {
      status = own;
    },
  };
  const words = command.readsProfiles ? await withStandardInput(positionals) : positionals;
  await command.run(context, words, values);
  return status;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A job must end its processes first; it gets this event, too.
  if (isJobRunning()) outputError ??= error;
  else process.exit(tellUnwritable(error));
});
// Nobody reads the message.
process.stderr.on('error', () => undefined);
// Unhandled rejections and uncaught errors end the program in the same way.
process.on('uncaughtException', error => {
  tellFault(error);
  process.exit(exitStatus.failed);
});
if (!isMainThread) {
  answerFigures();
} else if (isNodeNewEnough()) {
  void main(process.argv.slice(2)).then(status => {
    process.exitCode = status;
  });
} else {
  void runInOwnNode(__dirname, tell).then(status => {
    process.exitCode = status;
  });
}
