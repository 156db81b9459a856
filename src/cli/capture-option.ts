import type {ParseArgsOptionsConfig} from 'node:util';
import {textOption} from './command.js';

/** The option that names the profile of a run that captured the graphs. */
export const captureOption = {capture: {type: 'string'}} as const satisfies ParseArgsOptionsConfig;
export const captureUsage = '[--capture FILE]';

let captureFile: string | null = null;

/** Sets the value of `--capture`, once, before the command runs. */
export function chooseCapture(value: string | boolean | undefined): void {
  captureFile = textOption(value);
}

/** Returns the profile that shows how the graphs were captured; null if none is named. */
export function chosenCapture(): string | null {
  return captureFile;
}
