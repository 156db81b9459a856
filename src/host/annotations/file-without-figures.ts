import * as vscode from 'vscode';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';

/** The script that recorded the active profile, if none of its lines has a figure. */
export interface WithoutFigures {
  /** A sentence for its first line. */
  readonly text: string;
  readonly tooltip: string;
  /** Whether it has a `forward` that could be tagged. */
  readonly hasForward: boolean;
}

/** Tells the user that no line of the active profile's script has a figure. */
export class FilesWithoutFigures {
  constructor(
    private readonly store: Pick<ProfileStore, 'activeOpen'>,
    private readonly files: Pick<RecordedFiles, 'pathIn'>,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
  ) {}

  /**
   * Returns the message for a document without figures; null if it is not the script of the active profile, or the
   * profile is narrowed to a window, outside of which lines may have figures.
   */
  of(document: vscode.TextDocument): WithoutFigures | null {
    const profile = this.store.activeOpen;
    if (!profile || this.scopes.of(profile)) return null;
    const script = profile.state.sidecar?.script ?? null;
    if (script === null || this.files.pathIn([{file: script}], document.uri, profile) === null) return null;
    return {
      text: vscode.l10n.t('No line of this file has a time in {0}.', profile.name),
      tooltip: vscode.l10n.t(
        'Lines show their time where they have a tag, where the recorder opened a range for them (gpuLens.run.automatic), or where Python stacks were recorded.',
      ),
      hasForward: /\bdef\s+forward\b/.test(document.getText()),
    };
  }
}
