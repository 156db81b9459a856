import {realpathSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {splitArguments} from '../../launch/command/argument-text.js';
import type {serve} from '../mcp/serve.js';
import {textOption, UsageError, type Command} from '../command.js';
import {programVersion} from '../program-version.js';

/** `gpu-lens mcp`: the tools of the command line for a client of the Model Context Protocol. */
export const mcpCommand: Command = {
  name: 'mcp',
  brief: 'A server for agents (Model Context Protocol)',
  usage: 'mcp [--root FOLDER]… [--allow-run COMMAND]… [--python PYTHON]',
  summary: `serves the Model Context Protocol on standard input and output. Reads only below the FOLDERs (the working
      directory); runs only commands that begin with the words of a COMMAND, with the PYTHON first on their PATH.`,
  options: {
    root: {type: 'string', multiple: true},
    'allow-run': {type: 'string', multiple: true},
    python: {type: 'string'},
  },
  async run(_context, positionals, options) {
    if (positionals.length > 0) throw new UsageError('mcp takes no files: its client names them.');
    const load = createRequire(__filename);
    const bundle = load(join(__dirname, 'mcp.cjs')) as {serve: typeof serve};
    const version = programVersion();
    const roots = listOf(options['root'], process.cwd()).map(realFolder);
    const allowed = listOf(options['allow-run']).map(command => splitArguments(command));
    const python = textOption(options['python']);
    const program = join(__dirname, 'cli.cjs');
    await bundle.serve({program, home: join(__dirname, '..'), version, limits: {roots, allowed, python}});
  },
};

/** Returns the values of a repeated option, which are separated by line feeds. */
function listOf(value: string | boolean | undefined, ...otherwise: readonly string[]): readonly string[] {
  return typeof value === 'string' ? value.split('\n') : otherwise;
}

/** @throws UsageError */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new UsageError(`--root ${path} is not a folder.`);
  }
}
