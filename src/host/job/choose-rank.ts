import * as vscode from 'vscode';
import {rankChoices, rankOfChoice, type JobSection} from '../../core/job/rank-choices.js';
import {askOne} from '../base/ask.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {rankWords} from './rank-words.js';
import {offeredRanks, openRank, type RankOpener} from '../profiles/job-ranks.js';

interface Services extends RankOpener {
  readonly log: Log;
  readonly showAll: (key: number, section: JobSection) => Promise<void>;
}

/** "Choose Rank": offers the choices of the rank selectors in views, for the side bar and the keyboard. */
export function chooseRank(services: Services): () => Promise<void> {
  return async () => {
    const {store, jobs, log, showAll} = services;
    const profile = store.activeOpen;
    const job = profile ? await offeredRanks(store, jobs, profile.key) : null;
    if (!profile || !job) {
      await showInformation(vscode.l10n.t('The active profile is not one of several ranks.'));
      return;
    }
    const choices = rankChoices(job, 'ranges', rankWords).map(({value, text}) => ({
      label: value === String(job.shown) ? `$(check) ${text}` : text,
      value,
    }));
    const chosen = await askOne(choices, {title: vscode.l10n.t('Rank to show')});
    if (!chosen) return;
    const rank = rankOfChoice(job, chosen.value);
    try {
      if (rank === null) await showAll(profile.key, 'ranges');
      else if (rank !== job.shown) await openRank(services, profile.key, rank);
    } catch (error) {
      await showFailure(log, error);
    }
  };
}
