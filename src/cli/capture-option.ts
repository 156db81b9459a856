import type {ParseArgsOptionsConfig} from 'node:util';
import {textOption} from './command.js';

/** The option that names the profile of a run that captured the graphs. */
export const captureOption = {capture: {type: 'string'}} as const satisfies ParseArgsOptionsConfig;
export const captureUsage = '[--capture FILE]';

let captureFile: string | null = null;

/** Takes the value of `--capture`, once, before a command runs that has it. */
export function chooseCapture(value: string | boolean | undefined): void {
  captureFile = textOption(value);
}

/** The profile that shows how the graphs of a profile were captured; null where none is named. */
export function chosenCapture(): string | null {
  return captureFile;
}
