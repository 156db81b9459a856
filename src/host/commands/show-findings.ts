import * as vscode from 'vscode';
import {findingsPage} from '../../core/findings/findings-page.js';
import {counted} from '../../core/format/count.js';
import {withCancel} from '../base/cancellable.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {FindingsOf} from '../query/profile-findings.js';
import type {MarkdownPages} from '../views/markdown-pages.js';

export interface FindingsOptions {
  readonly store: ProfileStore;
  readonly pages: MarkdownPages;
  readonly log: Log;
  readonly findingsOf: FindingsOf;
}

/** "Show Findings": shows what slows the active profile down, as a Markdown page. */
export function showFindingsCommand(options: FindingsOptions): () => Promise<void> {
  return async () => {
    const profile = options.store.activeOpen;
    if (!profile) {
      await showInformation(vscode.l10n.t('No profile is open. Open one first, then ask what stands in its way.'));
      return;
    }
    try {
      const title = vscode.l10n.t('Looking for what stands in the way in {0}', profile.name);
      const found = await withCancel(title, ({signal}) => options.findingsOf(profile, signal));
      if (!found) return;
      const sentence = counted(found.findings.length, '{0} finding in {1}.', '{0} findings in {1}.', profile.name);
      await options.pages.show(
        vscode.l10n.t('Findings in {0}', profile.name),
        findingsPage(found, profile.name),
        sentence,
      );
    } catch (error) {
      await showFailure(options.log, error);
    }
  };
}
