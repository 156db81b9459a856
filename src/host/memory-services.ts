import * as vscode from 'vscode';
import type {Annotations} from './annotations/annotations.js';
import {taggedDocuments} from './annotations/document-tags.js';
import {RecordedSources} from './annotations/recorded-sources.js';
import type {MemoryServices} from './memory/memory-connection.js';
import {MemoryEditor} from './memory/memory-editor.js';
import {MemoryLenses} from './annotations/memory-lenses.js';
import {showSnapshotsInMemoryView} from './memory/snapshot-tabs.js';
import {showMemoryCommand} from './commands/show-memory.js';
import type {ProfileTime} from './profiles/profile-time.js';
import type {RecordedFiles} from './source/recorded-files.js';

/** The services around the editor of memory snapshots. */
interface CreatedMemory {
  readonly disposables: readonly {dispose(): unknown}[];
  /** The command "Show Profile Memory". */
  readonly show: () => Promise<void>;
  /** Shows what holds a profile's memory at a time. */
  readonly showAt: (time: ProfileTime) => Promise<void>;
}

/** Creates the editor of memory snapshots, and their figures on source lines. */
export function createMemoryServices(
  extensionUri: vscode.Uri,
  {
    files,
    annotations,
    ...services
  }: MemoryServices & {readonly files: RecordedFiles; readonly annotations: Annotations},
): CreatedMemory {
  const editor = new MemoryEditor(extensionUri, services);
  const recorded = new RecordedSources(files, false);
  const lenses = new MemoryLenses(editor, files, recorded, annotations);
  return {
    show: showMemoryCommand(services.store),
    showAt: time => editor.showAt(time),
    disposables: [
      editor,
      recorded,
      lenses,
      vscode.window.registerCustomEditorProvider(MemoryEditor.viewType, editor),
      showSnapshotsInMemoryView(),
      vscode.languages.registerCodeLensProvider(taggedDocuments, lenses),
      vscode.languages.registerHoverProvider(taggedDocuments, lenses),
    ],
  };
}
