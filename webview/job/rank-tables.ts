import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import type {ReportedRank} from '../../src/core/job/job-report.js';
import type {KernelSpread} from '../../src/core/job/kernel-spread.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {RowColumn} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';
import {spreadColumns} from './job-tables.js';

const orEmpty = (ns: number | null): string => (ns === null ? '' : formatDuration(ns));

/** The facts about each rank: its host, its clock, and how it communicates. */
export const rankColumns: readonly RowColumn<ReportedRank>[] = [
  {title: t('Rank'), value: ({rank}) => rank, text: ({rank}) => String(rank)},
  {title: t('Host'), isText: true, text: ({host}) => host ?? ''},
  {title: t('GPU'), isText: true, text: ({device}) => device ?? ''},
  {title: t('Steps'), value: ({steps}) => steps, text: ({steps}) => formatCount(steps)},
  {
    title: t('Clock offset'),
    value: ({offsetNs}) => offsetNs,
    about: t('Added to the rank’s times, they are the first rank’s'),
    text: ({offsetNs}) => formatDuration(offsetNs),
  },
  {
    title: t('Drift (ppm)'),
    value: ({driftPpm}) => driftPpm,
    about: t('How the offset grows, in millionths of the time since'),
    text: ({driftPpm}) => driftPpm.toFixed(3),
  },
  {
    title: t('Residual'),
    value: ({residualNs}) => residualNs,
    about: t('How far apart calls still end, in the median; empty if no calls align the rank'),
    text: ({residualNs}) => orEmpty(residualNs),
  },
  {
    title: t('Waits for others'),
    value: ({waitNs}) => waitNs,
    about: t('Time in collectives in which the rank waits for others'),
    text: ({waitNs}) => orEmpty(waitNs),
  },
  {
    title: t('Communication'),
    value: ({overlap}) => overlap?.communicationNs ?? null,
    about: t('Time in which its GPUs communicate'),
    text: ({overlap}) => orEmpty(overlap?.communicationNs ?? null),
  },
  {
    title: t('While computing'),
    value: ({overlap}) => overlap?.overlapNs ?? null,
    about: t('The part of it in which they compute, too'),
    text: ({overlap}) => orEmpty(overlap?.overlapNs ?? null),
  },
  {
    title: t('Overlap (%)'),
    value: ({overlap}) => (overlap === null ? null : overlap.overlapNs / overlap.communicationNs),
    about: t('The part of it in which they compute, too'),
    text: ({overlap}) => (overlap === null ? '' : formatPercent(overlap.overlapNs, overlap.communicationNs)),
  },
];

/** Kernels of one name over the ranks. */
export const kernelColumns: readonly RowColumn<KernelSpread>[] = [
  {title: t('Kernel'), isText: true, text: ({name}) => shortKernelName(name), whole: ({name}) => name},
  ...spreadColumns,
  {
    title: t('Spread'),
    value: ({spreadNs}) => spreadNs,
    about: t('The most less the least'),
    text: ({spreadNs}) => formatDuration(spreadNs),
  },
  {title: t('Calls'), value: ({count}) => count, about: t('On all ranks'), text: ({count}) => formatCount(count)},
];
