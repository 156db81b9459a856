import * as vscode from 'vscode';
import {counted} from '../../core/format/count.js';
import {showInformation} from '../base/messages.js';
import type {SourcePaths} from '../source/source-paths.js';

/** Forgets which workspace files were chosen for paths in profiles. */
export function forgetSourceFilesCommand(paths: Pick<SourcePaths, 'forget'>): () => Promise<void> {
  return async () => {
    const count = await paths.forget();
    const text = counted(
      count,
      'Forgotten: the files that were chosen for {0} path of profiles.',
      'Forgotten: the files that were chosen for {0} paths of profiles.',
    );
    void showInformation(
      count > 0 ? text : vscode.l10n.t('No file of this workspace was chosen for a path of a profile.'),
    );
  };
}
