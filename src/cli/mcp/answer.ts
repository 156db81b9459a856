import {boundedAnswer} from './bounded-answer.js';
import {RefusedError, type Limits} from './confined.js';
import {wholeOf, type ToolInput} from './input.js';
import {maskedValue} from './masked.js';
import {notesIn, runCommand} from './run-command.js';
import type {Tool} from './tool.js';

/** The state of a server, for all requests. */
export interface Serving {
  /** Path of the built command line. */
  readonly program: string;
  readonly limits: Limits;
  readonly mask: (text: string) => string;
}

/** The end of what a program that failed has told. */
const longestComplaint = 500;

/** Returns a tool's answer. @throws RefusedError with the reason, if there is none */
export async function answerOf(
  tool: Tool,
  input: ToolInput,
  {program, limits, mask}: Serving,
  signal: AbortSignal,
): Promise<string> {
  const page = {offset: wholeOf(input, 'offset', 0) ?? 0, limit: wholeOf(input, 'limit', 1)};
  const {status, stdout, stderr} = await runCommand(program, tool.arguments(input, limits), limits, tool.runs, signal);
  if (tool.name === 'profile' && status !== 0) throw new RefusedError(endOf(stderr, mask));
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    throw new RefusedError(endOf(stderr, mask) || 'The command gave no answer.');
  }
  return boundedAnswer(maskedValue(value, mask), page, notesIn(stderr).map(mask));
}

/** The text is cut after secrets are masked, because a part of a secret is a secret, too. */
function endOf(stderr: string, mask: (text: string) => string): string {
  return mask(stderr.trim().slice(-6 * longestComplaint)).slice(-longestComplaint);
}
