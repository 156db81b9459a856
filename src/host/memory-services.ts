import * as vscode from 'vscode';
import {taggedDocuments} from './annotations/document-tags.js';
import type {MemoryServices} from './memory/memory-connection.js';
import {MemoryEditor} from './memory/memory-editor.js';
import {MemoryLenses} from './memory/memory-lenses.js';
import {showSnapshotsInMemoryView} from './memory/snapshot-tabs.js';
import type {RecordedFiles} from './source/recorded-files.js';

/** The editor of memory snapshots, and what stands on lines of them. */
export function createMemoryServices(
  extensionUri: vscode.Uri,
  {files, ...services}: MemoryServices & {readonly files: RecordedFiles},
): {readonly disposables: readonly {dispose(): unknown}[]} {
  const editor = new MemoryEditor(extensionUri, services);
  const lenses = new MemoryLenses(editor, files);
  return {
    disposables: [
      editor,
      lenses,
      vscode.window.registerCustomEditorProvider(MemoryEditor.viewType, editor),
      showSnapshotsInMemoryView(),
      vscode.languages.registerCodeLensProvider(taggedDocuments, lenses),
      vscode.languages.registerHoverProvider(taggedDocuments, lenses),
    ],
  };
}
