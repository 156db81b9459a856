import * as vscode from 'vscode';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';

/** A script of which the active profile has a recording, and no figure for any of its lines. */
export interface WithoutFigures {
  /** A sentence for its first line. */
  readonly text: string;
  readonly tooltip: string;
  /** Whether it has a `forward` that a tag could stand in. */
  readonly hasForward: boolean;
}

/** Says of the script that recorded the active profile that none of its lines has a figure. */
export class FilesWithoutFigures {
  constructor(
    private readonly store: Pick<ProfileStore, 'activeOpen'>,
    private readonly files: Pick<RecordedFiles, 'pathIn'>,
  ) {}

  /** What to say of a document no line of which has a figure; null where it is not the script of the active profile. */
  of(document: vscode.TextDocument): WithoutFigures | null {
    const profile = this.store.activeOpen;
    const script = profile?.state.sidecar?.script ?? null;
    if (!profile || script === null || this.files.pathIn([{file: script}], document.uri, profile) === null) return null;
    return {
      text: vscode.l10n.t('No line of this file has a time in {0}.', profile.name),
      tooltip: vscode.l10n.t(
        'Lines show their time where they have a tag, where the recorder opened a range for them (gpuLens.run.automatic), or where Python stacks were recorded.',
      ),
      hasForward: /\bdef\s+forward\b/.test(document.getText()),
    };
  }
}
