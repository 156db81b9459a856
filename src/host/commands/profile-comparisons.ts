import * as vscode from 'vscode';
import {comparisonPage} from '../../core/compare/comparison-page.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import {comparedProfile} from '../profiles/compared-profile.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {RunHistory} from '../runs/run-history.js';
import type {MarkdownPages} from '../views/markdown-pages.js';
import {chooseBase, type Compared} from './base-choices.js';

/** A profile, or one step of it. */
interface Part {
  readonly profile: OpenProfile;
  readonly step?: number;
}

/** "Compare Active Profile with…" and "Compare with…" of a run: one profile beside another, as a page of Markdown. */
export class ProfileComparisons {
  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly history: RunHistory,
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
    await this.#compareOpen(changed, file instanceof vscode.Uri ? file.fsPath : undefined);
  };

  /** Compares the profile in a file with another one; asks for it if it is not given. */
  readonly compareFiles = async (path: string, base?: string): Promise<void> => {
    const changed = await this.#open(path);
    if (changed) await this.#compareOpen(changed, base);
  };

  async #compareOpen(changed: OpenProfile, path: string | undefined): Promise<void> {
    try {
      const compared: Compared | undefined =
        path === undefined ? await chooseBase(changed, this.store.open, this.history) : {type: 'file', path};
      if (compared?.type === 'steps') {
        const {before, after} = compared;
        await this.#show({profile: changed, step: before}, {profile: changed, step: after});
      } else if (compared) {
        const base = await this.#open(compared.path);
        if (base) await this.#show({profile: base}, {profile: changed});
      }
    } catch (error) {
      await showFailure(this.log, error);
    }
  }

  /** The active profile stays the active one. */
  async #open(path: string): Promise<OpenProfile | undefined> {
    await openWithProgress(this.store, this.log, path, 'free');
    return this.store.open.find(profile => profile.path === path);
  }

  async #show(base: Part, changed: Part): Promise<void> {
    const comparison = await this.engine.ask('compare', {
      base: comparedProfile(base.profile, base.step),
      changed: comparedProfile(changed.profile, changed.step),
    });
    const [before, after] = namesOf(base, changed);
    const text = comparisonPage(comparison, [before, after]);
    await this.pages.show(`Comparison of ${after} and ${before}`, text, `Compared ${after} with ${before}.`);
  }
}

/** Runs of one script leave files of one name: their folders tell them apart. */
function namesOf(base: Part, changed: Part): [string, string] {
  const isAmbiguous = base.profile.name === changed.profile.name && base.profile.path !== changed.profile.path;
  const nameOf = ({profile: {name, path}, step}: Part) => {
    const file = isAmbiguous ? path.split(/[\\/]/).slice(-2).join('/') : name;
    return step === undefined ? file : `${file} step ${String(step)}`;
  };
  return [nameOf(base), nameOf(changed)];
}
