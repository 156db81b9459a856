import * as vscode from 'vscode';
import {comparisonPage} from '../../core/compare/comparison-page.js';
import type {EngineClient} from '../../engine/client.js';
import {earlierTrace} from '../../launch/history/earlier-run.js';
import {showFailure, type Log} from '../base/log.js';
import {plainLabel, showInformation} from '../base/messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import {figures} from '../profiles/profile-figures.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {MarkdownPages} from '../views/markdown-pages.js';
import {pickFile} from './open-profile.js';

/** "Compare Active Profile with…": the active profile beside another one, as a page of Markdown. */
export class ProfileComparisons {
  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly pages: MarkdownPages,
    private readonly log: Log,
  ) {}

  /** Asks what to compare the active profile with, and shows the comparison. @param file the base, if it is known */
  readonly compareWith = async (file?: unknown): Promise<void> => {
    const changed = this.store.activeOpen;
    if (!changed) {
      await showInformation(
        'No profile is open. Open the profile of the changed run first, then compare it with another.',
      );
      return;
    }
    const path = file instanceof vscode.Uri ? file.fsPath : await this.#chooseBase(changed);
    if (path === undefined) return;
    // The active profile stays the active one.
    await openWithProgress(this.store, this.log, path, 'free');
    const base = this.store.open.find(profile => profile.path === path);
    if (base) await this.#compare(base, changed);
  };

  /** A list of the other open profiles, the run before, and any file. */
  async #chooseBase(changed: OpenProfile): Promise<string | undefined> {
    const others = this.store.open.filter(({path}) => path !== changed.path);
    const earlier = await earlierTrace(changed.path);
    const choices: (vscode.QuickPickItem & {readonly path: () => Promise<string | undefined>})[] = [
      ...others.map(profile => ({
        ...{label: plainLabel(profile.name), description: figures(profile), detail: profile.path},
        path: () => Promise.resolve(profile.path),
      })),
      ...(earlier === null || others.some(({path}) => path === earlier)
        ? []
        : [{label: '$(history) The run before', detail: earlier, path: () => Promise.resolve(earlier)}]),
      {label: '$(folder-opened) Choose a File…', path: () => pickFile('Compare with Profile', 'Compare')},
    ];
    const choice = await vscode.window.showQuickPick(choices, {
      title: plainLabel(`Compare ${changed.name}`),
      placeHolder: 'The run before the change',
    });
    return choice?.path();
  }

  async #compare(base: OpenProfile, changed: OpenProfile): Promise<void> {
    try {
      const comparison = await this.engine.ask('compare', {base: runOf(base), changed: runOf(changed)});
      const text = comparisonPage(comparison, [base.name, changed.name]);
      const sentence = `Compared ${changed.name} with ${base.name}.`;
      await this.pages.show(`Comparison of ${changed.name} and ${base.name}`, text, sentence);
    } catch (error) {
      await showFailure(this.log, error);
    }
  }
}

function runOf({state}: OpenProfile): {
  profile: number;
  sidecar: Record<'torch' | 'python' | 'script', string | null> | null;
} {
  const {summary, sidecar} = state;
  if (sidecar === null) return {profile: summary.id, sidecar};
  const {torch, python, script} = sidecar;
  return {profile: summary.id, sidecar: {torch, python, script}};
}
