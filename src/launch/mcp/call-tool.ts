import type {ChildProcess} from 'node:child_process';
import {isFields, parseJsonLine} from '../../core/base/read-json.js';
import {TraceError} from '../../core/base/errors.js';
import {runChild} from '../programs/run-child.js';

/** The command that starts a Model Context Protocol server on standard input and output. */
export interface ServerProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A tool's answer. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const protocolVersion = '2025-06-18';
const callId = 2;
/** Enough for an answer with every row of a large table. */
const longestAnswer = 64 << 20;

/**
 * Starts a server, calls one of its tools, and ends it with all its children.
 *
 * @param client the client name that the server receives
 * @throws TraceError `launch/failed` if it does not answer, `launch/not-started`
 */
export async function callTool(
  {program, args, cwd, env}: ServerProgram,
  client: {readonly name: string; readonly version: string},
  call: {readonly name: string; readonly arguments: object},
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const answers: ToolAnswer[] = [];
  await runChild(program, args, {
    ...{cwd, env, stdio: ['pipe', 'pipe', 'ignore']},
    signal,
    onStart: child => {
      const send = (message: object) => child.stdin?.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
      onLines(child, line => {
        const answer = answerIn(line);
        if (!answer) return;
        answers.push(answer);
        // The end of input tells the server to exit.
        child.stdin?.end();
      });
      // Writing to a server that has exited fails.
      child.stdin?.on('error', () => undefined);
      send({id: 1, method: 'initialize', params: {protocolVersion, capabilities: {}, clientInfo: client}});
      send({method: 'notifications/initialized'});
      send({id: callId, method: 'tools/call', params: call});
    },
  });
  const [answer] = answers;
  if (answer) return answer;
  throw new TraceError('launch/failed', signal.aborted ? 'The call was cancelled.' : 'The tool gave no answer.');
}

function onLines(child: ChildProcess, take: (line: string) => void): void {
  let rest = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (data: string) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestAnswer) rest = '';
    for (const line of lines) take(line);
  });
}

/** Returns the answer to the call in a line of the server's output; null for any other message. */
function answerIn(line: string): ToolAnswer | null {
  const message = parseJsonLine(line);
  if (message?.['id'] !== callId) return null;
  const {result, error} = message;
  if (isFields(error)) return {text: String(error['message']), isError: true};
  const content: unknown = isFields(result) ? result['content'] : null;
  const first: unknown = Array.isArray(content) ? content[0] : null;
  if (!isFields(first) || typeof first['text'] !== 'string') return {text: 'The tool gave no text.', isError: true};
  return {text: first['text'], isError: isFields(result) && result['isError'] === true};
}
