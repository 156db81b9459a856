import * as vscode from 'vscode';
import {describeError} from '../../core/base/errors.js';
import {joinArguments} from '../../launch/command/argument-text.js';
import {callTool} from '../../launch/mcp/call-tool.js';
import type {Log} from '../base/log.js';
import {runInterpreter, serverProgram} from './server-program.js';

/** Prefix of the names in package.json; the tool's name in the server follows. */
const prefix = 'gpuLens_';
/** The tools that run a command of the user's. */
const runningTools: ReadonlySet<string> = new Set(['profile', 'prove']);

type ToolInput = Readonly<Record<string, unknown>>;

interface Manifest {
  readonly version: string;
  readonly contributes: {readonly languageModelTools: readonly {readonly name: string; readonly displayName: string}[]};
}

/**
 * Registers the server's tools for the editor's language models: `#gpuLens…` in a chat. Each call starts the server
 * with only the command that the user confirmed, so that chat and server give the same answers.
 */
export function registerModelTools(context: vscode.ExtensionContext, log: Log): vscode.Disposable {
  const {lm} = vscode as {lm?: Partial<Pick<typeof vscode.lm, 'registerTool'>>};
  if (typeof lm?.registerTool !== 'function') return new vscode.Disposable(() => undefined);
  const manifest = context.extension.packageJSON as Manifest;
  return vscode.Disposable.from(
    ...manifest.contributes.languageModelTools.map(({name, displayName}) =>
      vscode.lm.registerTool<ToolInput>(name, {
        prepareInvocation: ({input}) => prepared(name.slice(prefix.length), displayName, input),
        invoke: ({input}, token) => invoke(context, log, name.slice(prefix.length), input, token),
      }),
    ),
  );
}

async function prepared(tool: string, displayName: string, input: ToolInput): Promise<vscode.PreparedToolInvocation> {
  const invocationMessage = `GPU Lens: ${displayName}`;
  if (!runningTools.has(tool)) return {invocationMessage};
  const message = new vscode.MarkdownString();
  const commits = tool === 'prove' ? ` at the commits ${shown(input['base'])} and ${shown(input['changed'])}` : '';
  message.appendText(`GPU Lens runs this command in ${rootText()}${commits}, as you:`);
  message.appendCodeblock(commandText(input) ?? '', 'text');
  const python = await runInterpreter();
  if (python !== null) message.appendText(`Its Python: ${python}`);
  return {invocationMessage, confirmationMessages: {title: `${displayName}?`, message}};
}

async function invoke(
  {extensionUri, extension}: vscode.ExtensionContext,
  log: Log,
  tool: string,
  input: ToolInput,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const runs = runningTools.has(tool);
  if (runs && !vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('GPU Lens runs nothing in a workspace that is not trusted.'));
  const command = runs ? commandText(input) : null;
  const python = command === null ? null : await runInterpreter();
  const program = serverProgram(extensionUri, command === null ? [] : [command], python);
  if (program === null)
    throw new Error(vscode.l10n.t('Open a folder first: GPU Lens reads profiles in the workspace alone.'));
  const cancel = new AbortController();
  const onCancelled = token.onCancellationRequested(() => {
    cancel.abort();
  });
  try {
    const {version} = extension.packageJSON as Manifest;
    const client = {name: vscode.env.appName, version};
    const {text, isError} = await callTool(program, client, {name: tool, arguments: input}, cancel.signal);
    if (isError) throw new Error(text);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  } catch (error) {
    log.warn(`${tool}: ${describeError(error, 'launch/failed').message}`);
    throw error;
  } finally {
    onCancelled.dispose();
  }
}

/** Returns a command's words as one text that the server splits into the same words; null if there are none. */
function commandText({command}: ToolInput): string | null {
  const isCommand = Array.isArray(command) && command.length > 0 && command.every(word => typeof word === 'string');
  return isCommand ? joinArguments(command) : null;
}

function rootText(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? 'the workspace';
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 80) : '?';
}
