import * as vscode from 'vscode';
import type {ServerProgram} from '../../launch/mcp/call-tool.js';
import {readSettings, section} from '../base/settings.js';
import {runInterpreter, serverProgram} from './server-program.js';

/** As package.json contributes it. */
const providerId = 'gpuLens.mcp';

/** The part of the API that an editor in the place of VS Code may lack. */
type WithServers = Partial<Pick<typeof vscode.lm, 'registerMcpServerDefinitionProvider'>>;

/**
 * Offers GPU Lens's server of the Model Context Protocol to the editor: in a trusted workspace, with the commands that a
 * setting allows. The editor asks before it starts it, and before each call of a tool that runs something.
 */
export function offerMcpServer({extensionUri, extension}: vscode.ExtensionContext): vscode.Disposable {
  const {registerMcpServerDefinitionProvider} = (vscode as {lm?: WithServers}).lm ?? {};
  if (typeof registerMcpServerDefinitionProvider !== 'function') return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  const tell = () => {
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(tell),
    vscode.workspace.onDidChangeWorkspaceFolders(tell),
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(`${section}.mcp`)) tell();
    }),
    registerMcpServerDefinitionProvider(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => {
        const program = currentProgram(extensionUri, null);
        if (program === null) return [];
        const {version} = extension.packageJSON as {version: string};
        // The editor's own environment is added to these variables.
        const env = {ELECTRON_RUN_AS_NODE: '1'};
        return [new vscode.McpStdioServerDefinition('GPU Lens', program.program, [...program.args], env, version)];
      },
      // A person selects interpreters at any time: the one of now is asked for when the server starts.
      resolveMcpServerDefinition: async (server: vscode.McpStdioServerDefinition) => {
        const program = currentProgram(extensionUri, await runInterpreter());
        if (program !== null) server.args = [...program.args];
        return program === null ? undefined : server;
      },
    }),
  );
}

/** The server's program with what the settings allow now; null where nothing may run. */
function currentProgram(extensionUri: vscode.Uri, python: string | null): ServerProgram | null {
  if (!vscode.workspace.isTrusted) return null;
  return serverProgram(extensionUri, readSettings().allowedCommands, python);
}
