import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import {profileEndings} from '../base/profile-endings.js';
import {TraceEditor} from '../views/trace-editor.js';

const isNamedLikeProfile = (path: string) => profileEndings.some(ending => path.toLowerCase().endsWith(`.${ending}`));

/**
 * Sets the context `gpuLens.fileIsProfile`, which shows the button "Open in GPU Lens" if another editor shows a
 * profile. The beginning of the file decides, not its name.
 */
export class RecognisedFile implements vscode.Disposable {
  readonly #disposables: readonly vscode.Disposable[];
  #looks = 0;

  constructor(private readonly engine: Pick<EngineClient, 'ask'>) {
    const look = () => void this.#look();
    const {tabGroups} = vscode.window;
    this.#disposables = [
      tabGroups.onDidChangeTabs(look),
      tabGroups.onDidChangeTabGroups(look),
      vscode.workspace.onDidSaveTextDocument(look),
    ];
    look();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #look(): Promise<void> {
    const look = ++this.#looks;
    const uri = fileInFront();
    const isProfile = uri !== null && (await formatOfFile(this.engine, uri)) !== null;
    // Another tab may be in front by now.
    if (look === this.#looks) await vscode.commands.executeCommand('setContext', 'gpuLens.fileIsProfile', isProfile);
  }
}

/** "Open in GPU Lens": replaces the file's tab with its timeline. The tables of a text open as with "Open Profile…". */
export function openInEditorCommand(
  engine: Pick<EngineClient, 'ask'>,
  openProfile: (uri: vscode.Uri) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const uri = fileInFront();
    if (!uri) return;
    const hasTime = (await formatOfFile(engine, uri)) !== 'text';
    if (hasTime && isTaken(uri)) await vscode.commands.executeCommand('vscode.openWith', uri, TraceEditor.offeredType);
    else await openProfile(uri);
  };
}

/** Returns whether package.json offers the timeline as an editor for a file. */
function isTaken({path}: vscode.Uri): boolean {
  return /\.(json\.gz|json\.zst|sqlite)$/i.test(path);
}

/** Returns the format of a file; null if it is not a profile, or the engine cannot answer. */
async function formatOfFile(engine: Pick<EngineClient, 'ask'>, {fsPath}: vscode.Uri): Promise<string | null> {
  try {
    return await engine.ask('file/format', {path: fsPath});
  } catch {
    // An engine process that dies reports that itself.
    return null;
  }
}

/** Returns the file of the front tab, if its name may be a profile's and another editor shows it. */
function fileInFront(): vscode.Uri | null {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isOther = input instanceof vscode.TabInputCustom && !input.viewType.startsWith('gpuLens.');
  if (!isOther && !(input instanceof vscode.TabInputText)) return null;
  return input.uri.scheme === 'file' && isNamedLikeProfile(input.uri.path) ? input.uri : null;
}
