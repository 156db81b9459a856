import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import {profileEndings} from '../base/profile-endings.js';
import {TraceEditor} from '../views/trace-editor.js';

const isNamedLikeProfile = (path: string) => profileEndings.some(ending => path.toLowerCase().endsWith(`.${ending}`));

/**
 * Offers to open the file in front where another editor shows it: sets the context `gpuLens.fileIsProfile`, which shows
 * the button "Open in GPU Lens". A file's beginning decides, not its name.
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
    // Another tab may have come to the front meanwhile.
    if (look === this.#looks) await vscode.commands.executeCommand('setContext', 'gpuLens.fileIsProfile', isProfile);
  }
}

/**
 * "Open in GPU Lens": shows the file in front as a timeline in its own place, and the tables of a text as
 * "Open Profile…" does.
 */
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

/** Whether package.json offers the timeline as an editor for a file. */
function isTaken({path}: vscode.Uri): boolean {
  return /\.(json\.gz|json\.zst|sqlite)$/i.test(path);
}

/** The format of a file; null where it is no profile, or cannot be asked about. */
async function formatOfFile(engine: Pick<EngineClient, 'ask'>, {fsPath}: vscode.Uri): Promise<string | null> {
  try {
    return await engine.ask('file/format', {path: fsPath});
  } catch {
    // A worker that dies says so itself.
    return null;
  }
}

/** The file of the tab in front, where its name could be that of a profile and another editor than ours shows it. */
function fileInFront(): vscode.Uri | null {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isOther = input instanceof vscode.TabInputCustom && !input.viewType.startsWith('gpuLens.');
  if (!isOther && !(input instanceof vscode.TabInputText)) return null;
  return input.uri.scheme === 'file' && isNamedLikeProfile(input.uri.path) ? input.uri : null;
}
