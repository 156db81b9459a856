import * as vscode from 'vscode';
import {knownLines} from '../core/source/known-lines.js';
import {commandIds} from './base/command-ids.js';
import {dismissFindingCommand} from './commands/dismiss-finding.js';
import {showFindingsCommand} from './commands/show-findings.js';
import type {ProfileSource} from '../sql/messages.js';
import {queryProfileCommand, runQueryCommand} from './commands/query-profile.js';
import type {Log} from './base/log.js';
import type {MakeReadable} from './profiles/report-exporter.js';
import type {OpenProfile, ProfileStore} from './profiles/profile-store.js';
import type {RankServices} from './profiles/rank-handlers.js';
import {engineSettings, readSettings, section} from './base/settings.js';
import type {MarkdownPages} from './views/markdown-pages.js';
import {Panel, queryPanel} from './views/view-panel.js';
import {FindingsStore} from './findings/known-findings.js';
import {createFindings} from './query/profile-findings.js';
import {queryCompletion} from './query/query-completion.js';
import {QueryCodeLenses} from './query/query-documents.js';
import {QueryConnection} from './query/query-connection.js';
import {QueryRunner} from './query/query-runner.js';

/** Creates the SQL commands, and what must be disposed of with them. */
export function createQueryServices(
  {extensionUri, globalStorageUri}: vscode.ExtensionContext,
  store: ProfileStore,
  makeReadable: MakeReadable,
  pages: MarkdownPages,
  ranks: RankServices,
  log: Log,
): {
  commands: Record<string, (...args: never[]) => unknown>;
  disposables: {dispose: () => unknown}[];
  findings: FindingsStore;
} {
  const bundle = (name: string) => vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath;
  const process = {
    programPath: bundle('sql.cjs'),
    // The query process finds the engine's cached trace of the same file.
    sourceOf: async ({path, state}: OpenProfile, signal: AbortSignal): Promise<ProfileSource> => {
      const readable = await makeReadable(path, {signal, onProgress: () => undefined});
      const {cache, unpackedLimit, memoryLimitBytes: bytes} = engineSettings(globalStorageUri);
      const lines = knownLines(state.sidecar, state.kernels);
      const kept = {cache, cacheProgram: bundle('engine.cjs'), unpackedLimit};
      const memoryLimit = bytes === null ? undefined : {bytes, name: `${section}.memoryLimitMB`};
      return {path: readable, stamp: state.summary.stamp, lines, memoryLimit, ...kept};
    },
  };
  const runner = new QueryRunner({...process, store, log, limitRows: () => readSettings().queryMaximumRows});
  const panel = new Panel(queryPanel, extensionUri, webview => new QueryConnection(webview, runner, ranks, log));
  const findings = new FindingsStore(createFindings({...process, workspaceFolder: trustedFolder}), log);
  const findingsOf = findings.find;
  const lenses = new QueryCodeLenses(store);
  const sql = [{language: 'sql'}];
  return {
    findings,
    commands: {
      [commandIds.queryProfile]: queryProfileCommand(store, log, globalStorageUri),
      [commandIds.runQuery]: runQueryCommand(store, runner, panel),
      [commandIds.showFindings]: showFindingsCommand({findingsOf, store, pages, log}),
      [commandIds.dismissFinding]: dismissFindingCommand({findingsOf, store, log, workspaceFolder: trustedFolder}),
    },
    disposables: [
      vscode.window.registerWebviewPanelSerializer(panel.kind.viewType, panel),
      runner,
      findings,
      lenses,
      vscode.languages.registerCodeLensProvider(sql, lenses),
      vscode.languages.registerCompletionItemProvider(sql, queryCompletion, '.'),
    ],
  };
}

/** Rules are queries and dismissals hide findings, so they count only in a trusted workspace. */
export function trustedFolder(): string | null {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.workspace.isTrusted && folder?.scheme === 'file' ? folder.fsPath : null;
}
