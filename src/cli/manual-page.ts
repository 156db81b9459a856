import type {Command} from './command.js';
import {commandHelp, programHelp} from './help.js';

/** Returns the help of the program and of all commands as a page for `man`. */
export function manualPage(commands: readonly Command[], version: string): string {
  const sections = [
    '.SH NAME\ngpu-lens \\- the time of a GPU, on the command line\n',
    section('SYNOPSIS', programHelp(commands)),
    '.SH COMMANDS\n',
    ...commands.map(command => `.SS ${literal(command.name)}\n${asItIs(commandHelp(command, 'page'))}`),
    section(
      'ENVIRONMENT',
      'GPU_LENS_MAXIMUM_UNPACKED_GB  what a compressed profile may unpack to\nGPU_LENS_DEBUG                shows where an error came from\nNO_COLOR                      leaves colours out\n',
    ),
  ];
  return `.TH GPU-LENS 1 "" "gpu-lens ${literal(version)}" "User Commands"\n${sections.join('')}`;
}

function section(name: string, text: string): string {
  return `.SH ${name}\n${asItIs(text)}`;
}

/** Text whose lines and columns stay. */
function asItIs(text: string): string {
  return `.nf\n${text.trimEnd().split('\n').map(literal).join('\n')}\n.fi\n`;
}

/** A line that means nothing to troff: a leading dot or quote is no request, a dash can be copied. */
function literal(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
