import type {RankWords} from '../../src/core/job/rank-choices.js';
import {t} from './translate.js';

/** The texts of a rank selector's choices. */
export const rankWords: RankWords = {
  all: {
    timeline: t('All ranks: one timeline'),
    parts: t('All ranks: min, median, max of each part of their time'),
    ranges: t('All ranks: min, median, max of each range'),
  },
  notAll: why => t('All ranks: {0}', why),
  standings: {
    fastest: rank => t('Min: rank {0} is the fastest', rank),
    median: rank => t('Median: rank {0} is in the middle', rank),
    slowest: rank => t('Max: rank {0} is the slowest', rank),
  },
};
