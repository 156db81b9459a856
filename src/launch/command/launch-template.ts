import {TraceError} from '../../core/base/errors.js';
import {isFields} from '../../core/base/read-json.js';
import {shellQuoted} from './shell-quoted.js';

const programParts = ['carry', 'run', 'cancel', 'fetch', 'clean'] as const;
const textParts = ['folder', 'workingFolder', 'python'] as const;

/**
 * How a command is run somewhere else: by a scheduler, in a container, or on another machine.
 *
 * Each part is a program with its arguments, which no shell reads. `run` starts the command. If the other place does
 * not share this file system, `folder` names a folder there, `carry` makes it a copy of the recorder, and `fetch`
 * copies its subfolder `run`, which contains the recording, back.
 */
export interface LaunchTemplate extends Readonly<
  Partial<Record<Exclude<(typeof programParts)[number], 'run'>, readonly string[]>>
> {
  readonly run: readonly string[];
  /** The folder for this run at the other place; null if both places share the run's folder. */
  readonly folder: string | null;
  /** The folder in which the command runs there; null for the same path as here. */
  readonly workingFolder: string | null;
  /** The interpreter there; null for the same path as here. */
  readonly python: string | null;
}

/** The values of a template's placeholders. */
export interface TemplateValues {
  /** Names the run: letters, digits, dots, dashes and underscores. */
  readonly id: string;
  /** The run's folder on this machine. */
  readonly runFolder: string;
  /** The recorder's folder on this machine. */
  readonly recorder: string;
  /** The folder for this run at the other place. */
  readonly folder: string;
  readonly workingFolder: string;
  /** The recorder's command followed by the user's, as run at the other place. */
  readonly command: readonly string[];
}

/**
 * Returns the template that a JSON text describes.
 *
 * @throws TraceError `launch/bad-template` with the part that is wrong
 */
export function parseLaunchTemplate(text: string): LaunchTemplate {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('is not JSON');
  }
  if (!isFields(value)) throw wrong('is not an object');
  const known: readonly string[] = [...programParts, ...textParts];
  const unknown = Object.keys(value).find(key => !known.includes(key));
  if (unknown !== undefined) throw wrong(`has an unknown part "${unknown}"`);
  const fields = value;
  const programs = programParts.flatMap(part =>
    fields[part] === undefined ? [] : [[part, program(part, fields[part])]],
  );
  const texts = textParts.map(part => [part, textPart(part, fields[part])]);
  const template = Object.fromEntries([...programs, ...texts]) as unknown as LaunchTemplate;
  checkRun(template);
  return template;
}

/**
 * Returns a part of a template with its placeholders replaced. `{command}`, an argument of its own, becomes the
 * arguments of the command. `{commandLine}` becomes a line for a POSIX shell that changes to the working folder and
 * runs the command. `{id}`, `{runFolder}`, `{recorder}`, `{folder}` and `{workingFolder}` are replaced by plain text.
 */
export function fillTemplate(part: readonly string[], values: TemplateValues): string[] {
  const line = `cd ${shellQuoted([values.workingFolder])} && exec ${shellQuoted(values.command)}`;
  const texts: Readonly<Record<string, string>> = {
    id: values.id,
    runFolder: values.runFolder,
    recorder: values.recorder,
    folder: values.folder,
    workingFolder: values.workingFolder,
    commandLine: line,
  };
  return part.flatMap(argument =>
    argument === '{command}'
      ? values.command
      : [
          argument.replace(/\{(\w+)\}/g, (whole, name: string) =>
            Object.hasOwn(texts, name) ? (texts[name] ?? '') : whole,
          ),
        ],
  );
}

function checkRun({run, folder, carry, fetch}: LaunchTemplate): void {
  if (!(run as unknown)) throw wrong('has no part "run"');
  if (!run.some(argument => argument === '{command}' || argument.includes('{commandLine}'))) {
    throw wrong('needs "{command}" as an argument of its part "run", or "{commandLine}" in one');
  }
  if ((folder === null) !== (carry === undefined) || (folder === null) !== (fetch === undefined)) {
    throw wrong('needs all of "folder", "carry" and "fetch", or none where both places share the files');
  }
}

function program(part: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string') && value[0] !== '') {
    return value;
  }
  throw wrong(`needs a list of texts as its part "${part}": a program and its arguments`);
}

function textPart(part: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw wrong(`needs a text as its part "${part}"`);
}

function wrong(what: string): TraceError {
  return new TraceError('launch/bad-template', `The launch template ${what}.`);
}
