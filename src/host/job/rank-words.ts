import * as vscode from 'vscode';
import type {RankWords} from '../../core/job/rank-choices.js';

/** The labels of a rank selector's choices. */
export const rankWords: RankWords = {
  all: {
    timeline: vscode.l10n.t('All ranks: one timeline'),
    parts: vscode.l10n.t('All ranks: min, median, max of each part of their time'),
    ranges: vscode.l10n.t('All ranks: min, median, max of each range'),
  },
  notAll: why => vscode.l10n.t('All ranks: {0}', why),
  standings: {
    fastest: rank => vscode.l10n.t('Min: rank {0} is the fastest', rank),
    median: rank => vscode.l10n.t('Median: rank {0} is in the middle', rank),
    slowest: rank => vscode.l10n.t('Max: rank {0} is the slowest', rank),
  },
};
