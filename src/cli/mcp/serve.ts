import {execFile} from 'node:child_process';
import {Server} from '@modelcontextprotocol/sdk/server/index.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {CallToolRequestSchema, ListToolsRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {boundedAnswer} from './bounded-answer.js';
import {RefusedError, type Limits} from './confined.js';
import {tools, type Tool, type ToolInput} from './tools.js';

const paging = {
  offset: {type: 'integer', minimum: 0, description: 'The first row; 0 without it'},
  limit: {type: 'integer', minimum: 1, description: 'The number of rows; without it, as many as 4 kB hold'},
};
const longestOutput = 256 << 20;
const readLimitMs = 600_000;

/**
 * Serves the Model Context Protocol on standard input and output until the client is gone. Each tool is a command line of
 * `gpu-lens`, so that its numbers are those of the command line.
 *
 * @param program path of the built command line
 */
export async function serve(program: string, version: string, limits: Limits): Promise<void> {
  // The schemas are written by hand, and hold for what is not TypeScript: the higher API takes zod's alone.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server({name: 'gpu-lens', version}, {capabilities: {tools: {}}});
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: tools.map(described)}));
  server.setRequestHandler(CallToolRequestSchema, async ({params: {name, arguments: input = {}}}, {signal}) => {
    try {
      const tool = tools.find(candidate => candidate.name === name);
      if (!tool) throw new RefusedError('There is no such tool.');
      return {content: [{type: 'text' as const, text: await answer(tool, input, program, limits, signal)}]};
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return {content: [{type: 'text' as const, text: error.message}], isError: true};
    }
  });
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}

function described({name, description, properties, required, runs}: Tool) {
  return {
    name,
    description,
    inputSchema: {type: 'object' as const, properties: {...properties, ...paging}, required: [...required]},
    annotations: {readOnlyHint: !runs, openWorldHint: runs},
  };
}

async function answer(
  tool: Tool,
  input: ToolInput,
  program: string,
  limits: Limits,
  signal: AbortSignal,
): Promise<string> {
  const {isDone, stdout, stderr} = await run(program, tool.arguments(input, limits), limits, tool.runs, signal);
  const page = {offset: wholeOr(input['offset'], 0), limit: wholeOr(input['limit'], null)};
  if (tool.name === 'profile' && isDone) {
    return boundedAnswer({profiles: stdout.split('\n').filter(path => path !== '')}, page);
  }
  try {
    return boundedAnswer(JSON.parse(stdout), page);
  } catch {
    throw new RefusedError(stderr.trim().slice(-500) || 'The command gave no answer.');
  }
}

function wholeOr<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
}

interface Ended {
  readonly isDone: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in the first root; what runs a person's program has its own limits of time. */
function run(
  program: string,
  args: readonly string[],
  {roots}: Limits,
  runs: boolean,
  signal: AbortSignal,
): Promise<Ended> {
  const options = {cwd: roots[0], maxBuffer: longestOutput, timeout: runs ? 0 : readLimitMs, signal, windowsHide: true};
  return new Promise(resolve => {
    // An end by SIGTERM lets it end what it has started.
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({isDone: error === null, stdout, stderr});
    }).stdin?.end();
  });
}
