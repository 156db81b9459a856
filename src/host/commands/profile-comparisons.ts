import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {openWithProgress} from '../profiles/open-profile.js';
import {comparedProfile} from '../profiles/compared-profile.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {RunHistory} from '../runs/run-history.js';
import type {RunComparison} from '../../core/compare/run-comparison.js';
import type {ComparisonContent} from '../../protocol/comparison-messages.js';
import type {EngineRequests} from '../../protocol/engine-messages.js';
import {hasTimeline} from '../profiles/has-timeline.js';
import {chooseBase, type Compared, type PartChoice} from './base-choices.js';

/** A profile, or a part of it. */
interface Part {
  readonly profile: OpenProfile;
  readonly part?: PartChoice;
}

/** One side of a comparison, and its name on the page. */
export interface ComparedSide extends Part {
  readonly name: string;
}

/** A comparison of two that is shown. */
interface ShownPair {
  readonly sides: readonly [base: ComparedSide, changed: ComparedSide];
  /** What the engine was asked. */
  readonly asked: EngineRequests['compare']['params'];
  /** With operators matched by name. */
  readonly content: Extract<ComparisonContent, {state: 'pair'}>;
  /** Null if it was not asked for yet, or a profile has no shapes. */
  byShapes: RunComparison | null;
  /** What the user chose last. */
  isByShapes: boolean;
}

/** "Compare Active Profile with…", and "Compare with…" of runs: compares two profiles, or shows several side by side. */
export class ProfileComparisons {
  #shown: ShownPair | null = null;
  /** The turn of the last request for a comparison, and of the one whose comparison is shown; 0 for none. */
  #turn = 0;
  #shownTurn = 0;

  constructor(
    private readonly store: ProfileStore,
    private readonly engine: EngineClient,
    private readonly history: RunHistory,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
    private readonly log: Log,
    private readonly show: (content: ComparisonContent) => void,
  ) {}

  /**
   * The two files of the comparison shown, the base first; null if it compares parts or more than two, or there is
   * none.
   */
  get shownPaths(): readonly string[] | null {
    const sides = this.shownSides;
    return !sides || sides.some(({part}) => part) ? null : sides.map(({profile}) => profile.path);
  }

  /** The two sides of the comparison shown, the base first; null if there are more or none. */
  get shownSides(): readonly [base: ComparedSide, changed: ComparedSide] | null {
    return this.#shown?.sides ?? null;
  }

  /** Asks what to compare the active profile with, and shows the comparison. @param file the base, if known */
  readonly compareWith = async (file?: unknown): Promise<void> => {
    const changed = this.store.activeOpen;
    if (!changed) {
      await showInformation(
        vscode.l10n.t('No profile is open. Open the profile of the changed run first, then compare it with another.'),
      );
      return;
    }
    await this.#compareOpen(changed, file instanceof vscode.Uri ? file.fsPath : undefined);
  };

  /**
   * Compares the profile in a file with another one, and asks for it if it is not given; shows more than two side by
   * side.
   */
  readonly compareFiles = async (paths: readonly string[]): Promise<void> => {
    const [path, other, ...more] = paths;
    if (path === undefined) return;
    const turn = ++this.#turn;
    if (more.length > 0) {
      await this.#compareMany(paths, turn);
      return;
    }
    const changed = await this.#open(other ?? path);
    if (changed) await this.#compareOpen(changed, other === undefined ? undefined : path, turn);
  };

  /**
   * Matches the operators of the comparison shown by the shapes of their inputs, too, or by name alone.
   *
   * @returns false if a profile has no shapes
   */
  readonly chooseShapes = async (isByShapes: boolean): Promise<boolean> => {
    const shown = this.#shown;
    if (!shown) return false;
    const {asked, content} = shown;
    shown.isByShapes = isByShapes;
    // The files are read once for each comparison.
    if (isByShapes) shown.byShapes ??= await this.engine.ask('compare/shapes', asked);
    const comparison = isByShapes ? shown.byShapes : content.comparison;
    if (!comparison) return false;
    // Meanwhile the user may have chosen otherwise, or compared something else.
    if (this.#shown === shown && shown.isByShapes === isByShapes) this.show({...content, comparison, isByShapes});
    return true;
  };

  async #compareMany(paths: readonly string[], turn: number): Promise<void> {
    try {
      const profiles: OpenProfile[] = [];
      for (const path of paths) {
        const profile = await this.#open(path);
        // The user has already been told why.
        if (!profile) return;
        profiles.push(profile);
      }
      const matrix = await this.engine.ask('compare/many', {runs: profiles.map(profile => comparedProfile(profile))});
      const names = namesOf(profiles.map(profile => ({profile})));
      this.#showLast(turn, null, {state: 'matrix', names, matrix});
    } catch (error) {
      await showFailure(this.log, error);
    }
  }

  async #compareOpen(changed: OpenProfile, path: string | undefined, askedTurn: number | null = null): Promise<void> {
    try {
      const compared: Compared | undefined =
        path === undefined
          ? await chooseBase(changed, this.store.open, this.history, this.scopes.of(changed))
          : {type: 'file', path};
      // The list stays open while other comparisons are requested: the request counts from the choice.
      const turn = (path === undefined ? null : askedTurn) ?? ++this.#turn;
      if (compared?.type === 'parts') {
        const {before, after} = compared;
        await this.#show({profile: changed, part: before}, {profile: changed, part: after}, turn);
      } else if (compared) {
        const base = await this.#open(compared.path);
        if (base) await this.#show({profile: base}, {profile: changed}, turn);
      }
    } catch (error) {
      await showFailure(this.log, error);
    }
  }

  /** The active profile stays active. */
  async #open(path: string): Promise<OpenProfile | undefined> {
    await openWithProgress(this.store, this.log, path, 'free');
    return this.store.open.find(profile => profile.path === path);
  }

  async #show(base: Part, changed: Part, turn: number): Promise<void> {
    const sides = {
      base: comparedProfile(base.profile, base.part?.selection),
      changed: comparedProfile(changed.profile, changed.part?.selection),
    };
    const comparison = await this.engine.ask('compare', sides);
    const noise = comparison.noise.betweenRuns;
    const canJudge = comparison.comparable.verdict !== 'no';
    const flames = await this.engine.ask('compare/flames', {...sides, noise, canJudge});
    const [before = '', after = ''] = namesOf([base, changed]);
    const hasTimelines = hasTimeline(base.profile) && hasTimeline(changed.profile);
    const content = {
      ...({state: 'pair', names: [before, after]} as const),
      ...{comparison, flames, hasTimelines, isByShapes: false},
    };
    const named = [
      {...base, name: before},
      {...changed, name: after},
    ] as const;
    this.#showLast(turn, {sides: named, asked: sides, content, byShapes: null, isByShapes: false}, content);
  }

  /** Shows a comparison, unless one that was requested later is shown. @param pair null for more than two runs */
  #showLast(turn: number, pair: ShownPair | null, content: ComparisonContent): void {
    if (turn < this.#shownTurn) return;
    this.#shownTurn = turn;
    this.#shown = pair;
    this.show(content);
  }
}

/** Runs of one script leave files with the same name: their folders distinguish them. */
function namesOf(parts: readonly Part[]): string[] {
  return parts.map(({profile: {name, path}, part}) => {
    const isAmbiguous = parts.some(({profile}) => profile.name === name && profile.path !== path);
    const file = isAmbiguous ? path.split(/[\\/]/).slice(-2).join('/') : name;
    return part === undefined ? file : `${file} ${part.text}`;
  });
}
