import * as vscode from 'vscode';
import {oneLine} from '../../core/format/cells.js';
import {counted} from '../../core/format/count.js';
import type {KeptSweep} from '../../launch/benchmark/sweep-files.js';
import {commitText, stepText} from '../../launch/history/run-trend.js';
import {commandIds} from '../base/command-ids.js';
import type {KeptRun} from './run-history.js';

/** A recorded run in the view, with the bar chart of the runs before it. */
export interface RunItem {
  readonly run: KeptRun;
  readonly trend: string;
}

/** A sweep in the view, without its results. */
export interface SweepItem {
  readonly sweep: {
    readonly folder: string;
    readonly name: string;
    readonly startedAt: string;
    readonly pointCount: number;
    readonly resultCount: number;
  };
}

/** Returns what the row of a sweep shows. */
export function sweepItem({folder, record}: KeptSweep): SweepItem {
  const {name, startedAt, pointCount, results} = record;
  return {sweep: {folder, name: oneLine(name), startedAt, pointCount, resultCount: results.size}};
}

/** Returns a run's title in lists: its label, or the script. */
export function runTitle({label, name}: KeptRun): string {
  return oneLine(label ?? name);
}

/** Returns what distinguishes a run from others of its name: step time, date, commit, GPU. */
export function runDescription({run, trend}: RunItem): string {
  const step = [stepText(run) || stateText(run), trend].filter(Boolean).join(' ');
  const ranks = run.ranks.length > 1 ? counted(run.ranks.length, '{0} rank', '{0} ranks') : '';
  return oneLine([step, ranks, minuteText(run.began), commitText(run), run.device].filter(Boolean).join(' · '));
}

/** The row of a run. */
export function runRow(item: RunItem): vscode.TreeItem {
  const {run} = item;
  const row = new vscode.TreeItem(runTitle(run), vscode.TreeItemCollapsibleState.None);
  const isBad = !run.isRunning && (run.ended === null || (run.status ?? 0) !== 0);
  row.id = `run ${run.output} ${run.folder}`;
  row.description = runDescription(item);
  row.tooltip = tooltipOf(item);
  row.iconPath = new vscode.ThemeIcon(iconOf(run, isBad));
  row.contextValue = ['run', run.isPinned ? 'pinned' : 'loose', run.profiles.length > 0 ? 'profile' : '']
    .join(' ')
    .trim();
  if (run.profiles.length > 0)
    row.command = {command: commandIds.openRun, title: vscode.l10n.t('Open Profile'), arguments: [item]};
  const label = [
    runTitle(run),
    run.isPinned ? vscode.l10n.t('pinned as a baseline') : '',
    isBad ? stateText(run) : '',
    runDescription({run, trend: ''}),
  ];
  row.accessibilityInformation = {label: label.filter(Boolean).join(', ')};
  return row;
}

function iconOf({isRunning, isPinned}: KeptRun, isBad: boolean): string {
  if (isRunning) return 'loading~spin';
  return isPinned ? 'pinned' : isBad ? 'warning' : 'history';
}

/** The row of a sweep. */
export function sweepRow(item: SweepItem): vscode.TreeItem {
  const {folder, name, startedAt, pointCount, resultCount} = item.sweep;
  const row = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  const points = counted(pointCount, '{1} of {0} point', '{1} of {0} points', resultCount);
  row.id = `sweep ${folder}`;
  row.description = [vscode.l10n.t('sweep'), points, minuteText(startedAt)].join(' · ');
  row.tooltip = [name, vscode.l10n.t('A sweep: {0} have a result.', points), folder].join('\n');
  row.iconPath = new vscode.ThemeIcon('graph-line');
  row.contextValue = 'sweep';
  row.command = {command: commandIds.openSweep, title: vscode.l10n.t('Show Benchmarks'), arguments: [item]};
  return row;
}

/** `2026-01-01 10:15 UTC`. */
function minuteText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function stateText({isRunning, ended, status, steps}: KeptRun): string {
  if (isRunning) return vscode.l10n.t('running');
  if (ended === null) return vscode.l10n.t('unfinished');
  if (status !== null && status !== 0) return vscode.l10n.t('failed with status {0}', status);
  return steps > 0 ? counted(steps, '{0} step', '{0} steps') : '';
}

function tooltipOf({run, trend}: RunItem): string {
  const {label, name, folder, isPinned, steps, device, torch, python, command, bytes} = run;
  const step = stepText(run);
  return [
    label === null ? name : `${label} (${name})`,
    isPinned ? vscode.l10n.t('Pinned as a baseline: it is never deleted.') : null,
    stateText(run),
    step &&
      counted(
        steps,
        'Step: {1} (median and standard deviation of {0} recorded step, or as many without the profiler)',
        'Step: {1} (median and standard deviation of {0} recorded steps, or as many without the profiler)',
        step,
      ),
    trend && vscode.l10n.t('This and earlier runs of the same command: {0}', trend),
    vscode.l10n.t('Began: {0}', minuteText(run.began)),
    run.commit === null ? null : vscode.l10n.t('Commit: {0}', commitText(run)),
    device === null ? null : vscode.l10n.t('Device: {0}', device),
    [torch && `PyTorch ${torch}`, python && `Python ${python}`].filter(Boolean).join(', '),
    command === null ? null : vscode.l10n.t('Command: {0}', command.join(' ')),
    vscode.l10n.t('{0} MB in {1}', (bytes / 1e6).toFixed(1), folder),
  ]
    .filter(line => line !== null && line !== '')
    .map(line => oneLine(line ?? ''))
    .join('\n');
}
