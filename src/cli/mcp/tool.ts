import {confinedPath, type Limits} from './confined.js';
import {optionalText, textOf, wholeOf, type ToolInput} from './input.js';

/** A tool: one command line of `gpu-lens`, whose JSON is the answer. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** Whether it runs a program of the person's. */
  readonly runs: boolean;
  /** The command's name, options, and what stands behind `--`. @throws RefusedError */
  readonly arguments: (input: ToolInput, limits: Limits) => readonly string[];
}

const paging = {
  offset: {type: 'integer', minimum: 0, description: 'The first row; 0 without it'},
  limit: {type: 'integer', minimum: 1, description: 'The number of rows; without it, as many as 4 kB hold'},
};

/** Returns the schema of what a tool is given; package.json has the same. */
export function inputSchemaOf({properties, required}: Tool): {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  additionalProperties: false;
} {
  return {
    type: 'object',
    properties: {...properties, ...paging},
    required: [...required],
    additionalProperties: false,
  };
}

/** The schema of a text. */
export function text(description: string): object {
  return {type: 'string', minLength: 1, description};
}

/** The schema of a profile's path. */
export const file = text('Path of the profile, absolute or relative to the first folder that may be read');

/** The schemas of a part of a profile. */
export const part = {
  step: {type: 'integer', minimum: 0, description: 'One recorded step alone'},
  filterNvtx: text('One range alone: range[@domain][/index]'),
};

/** Returns the options that choose a part. @throws RefusedError */
export function partOf(input: ToolInput): readonly string[] {
  const [step, range] = [wholeOf(input, 'step', 0), optionalText(input, 'filterNvtx')];
  return [...(step === null ? [] : [`--step=${String(step)}`]), ...(range === null ? [] : [`--filter-nvtx=${range}`])];
}

/** What there is to say of a tool that reads one profile. */
export interface ReadingTool {
  readonly title: string;
  readonly description: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** The command's name and options. @throws RefusedError */
  readonly options: (input: ToolInput) => readonly string[];
  /** What stands behind the file. @throws RefusedError */
  readonly behind?: (input: ToolInput) => readonly string[];
}

/** Returns a tool that reads one profile. Options stand before `--`, so that no file and no text is taken for one. */
export function reading(name: string, tool: ReadingTool): Tool {
  const {title, description, properties = {}, required = [], options, behind} = tool;
  return {
    ...{name, title, description, runs: false},
    properties: {file, ...properties},
    required: ['file', ...required],
    arguments: (input, limits) => [
      ...options(input),
      '--format=json',
      '--',
      confinedPath(limits, textOf(input, 'file')),
      ...(behind?.(input) ?? []),
    ],
  };
}
