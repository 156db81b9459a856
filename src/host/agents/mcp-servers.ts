import * as vscode from 'vscode';
import type {ServerProgram} from '../../launch/mcp/call-tool.js';
import {readSettings, section} from '../base/settings.js';
import {runInterpreter, serverProgram} from './server-program.js';

/** As package.json contributes it. */
const providerId = 'gpuLens.mcp';

/** The part of the API that other editors than VS Code may lack. */
type WithServers = Partial<Pick<typeof vscode.lm, 'registerMcpServerDefinitionProvider'>>;

/**
 * Offers GPU Lens's Model Context Protocol server to the editor: in a trusted workspace, with the commands that a
 * setting allows. The editor asks the user before it starts the server, and before each call of a tool that runs
 * something.
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
        // The editor adds its own environment to these variables.
        const env = {ELECTRON_RUN_AS_NODE: '1'};
        return [new vscode.McpStdioServerDefinition('GPU Lens', program.program, [...program.args], env, version)];
      },
      // The user may select another interpreter at any time, so it is looked up when the server starts.
      resolveMcpServerDefinition: async (server: vscode.McpStdioServerDefinition) => {
        const program = currentProgram(extensionUri, await runInterpreter());
        if (program !== null) server.args = [...program.args];
        return program === null ? undefined : server;
      },
    }),
  );
}

/** Returns the server's program with the commands that the settings allow now; null if nothing may run. */
function currentProgram(extensionUri: vscode.Uri, python: string | null): ServerProgram | null {
  if (!vscode.workspace.isTrusted) return null;
  return serverProgram(extensionUri, readSettings().allowedCommands, python);
}
