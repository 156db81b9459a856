import * as vscode from 'vscode';
import type {Finding} from '../../core/findings/rules/finding.js';
import {nameOfAll, type WhatIfTarget} from '../../core/what-if/asked-changes.js';
import {canBeMade, trackRecord, trackRecordText} from '../../core/what-if/record/track-record.js';
import {whatIfPage, type WhatIfPage} from '../../core/what-if/what-if-page.js';
import type {EngineClient} from '../../engine/client.js';
import {keepPredictions, predictionsOfRuns, runsAround} from '../../launch/history/kept-predictions.js';
import {isFields} from '../../core/base/read-json.js';
import {askName} from '../base/ask.js';
import {partListener, withCancel} from '../base/cancellable.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {rowCommand, type RowCommand} from '../base/row-command.js';
import type {RangeItem} from '../hot-ranges/hot-ranges-view.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {MarkdownPages} from '../views/markdown-pages.js';

export interface WhatIfOptions {
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly pages: MarkdownPages;
  readonly log: Log;
}

/** The subject of "What If…", from a line or a row of a table. */
export interface WhatIfRow {
  /** With several names, the user picks one. */
  readonly names: readonly string[];
  /** The profile; the active one if absent. */
  readonly key?: number;
}

/** The subject, from whatever shows one: a finding is named by its rule. */
type WhatIfSubject = WhatIfRow | {readonly rule: string};

/** A row of "Findings" or "Hot Ranges". */
type TreeRow = {readonly finding: Pick<Finding, 'rule'>} | Pick<RangeItem, 'name'>;

/** "What If…" in the menu of a row of "Findings" or "Hot Ranges". */
export const whatIfRowCommand: RowCommand<TreeRow> = rowCommand<TreeRow>(([row]) => {
  if (!row) return vscode.commands.executeCommand(commandIds.showWhatIf);
  const subject: WhatIfSubject = 'finding' in row ? {rule: row.finding.rule} : {names: [row.name]};
  return vscode.commands.executeCommand(commandIds.showWhatIf, subject);
});

/**
 * "What If…": for a line, a kernel, a range or a finding, asks what could change about it. Then shows, as a Markdown
 * page, the time of the active profile's step with each of the usual changes.
 */
export function showWhatIfCommand({store, engine, pages, log}: WhatIfOptions): (row?: unknown) => Promise<void> {
  return async row => {
    const profile = profileOf(store, row);
    if (!profile) {
      await showInformation(vscode.l10n.t('No profile is open. Open one first, then ask what a change would bring.'));
      return;
    }
    const target = await targetOf(row);
    if (target === undefined) return;
    try {
      const answer = await ask(engine, profile, target);
      if (!answer) return;
      const record = await keepAndTell(profile.path, answer);
      await pages.show(
        vscode.l10n.t('What if {0}', profile.name),
        whatIfPage(answer, profile.name, record),
        vscode.l10n.t('What changes would bring is shown.'),
      );
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

function profileOf(store: ProfileStore, row: unknown): OpenProfile | null {
  const key = isFields(row) ? row['key'] : null;
  return typeof key === 'number' ? store.byKey(key) : store.activeOpen;
}

/**
 * Returns what to ask about: null for the whole step, undefined if the user picks no name. The button above "Findings"
 * asks about the whole step, although VS Code passes it the focused row.
 */
async function targetOf(row: unknown): Promise<WhatIfTarget | null | undefined> {
  if (!isFields(row)) return null;
  const {rule, names} = row;
  if (Array.isArray(names) && names.length > 0) {
    const texts = names.filter(one => typeof one === 'string');
    const chosen = nameOfAll(texts) ?? (await askName(texts, vscode.l10n.t('What if something were different about…')));
    return chosen === undefined ? undefined : {name: chosen};
  }
  return typeof rule === 'string' ? {rule} : null;
}

/** Saves the predictions with the profile's run. Returns how good earlier predictions of its runs were. */
async function keepAndTell(path: string, {answer: {measuredNs}, changes, asked}: WhatIfPage): Promise<string | null> {
  const before = (await predictionsOfRuns(runsAround(path))).runs.flatMap(({predictions}) => predictions);
  const made = [...asked, ...changes].flatMap(({change, predictedNs, intervalNs}) =>
    canBeMade(change) && predictedNs !== null && intervalNs !== null && predictedNs < measuredNs
      ? [{changes: [change], measuredNs, predictedNs, intervalNs}]
      : [],
  );
  await keepPredictions(path, made);
  return trackRecordText(trackRecord(before));
}

/** Asks with a progress message that can be cancelled; null if it was. */
async function ask(
  engine: EngineClient,
  profile: OpenProfile,
  target: WhatIfTarget | null,
): Promise<WhatIfPage | null> {
  const asked = {profile: profile.state.summary.id, ...(target && {target})};
  return withCancel(vscode.l10n.t('Replaying {0} with changes', profile.name), ({signal, progress}) =>
    engine.ask('what-if', asked, {signal, onProgress: partListener(progress)}),
  );
}
