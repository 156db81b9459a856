import * as vscode from 'vscode';
import {say} from '../../core/base/say.js';
import {counted, formatCount} from '../../core/format/count.js';
import {jobLines} from '../../core/job/job-lines.js';
import {commandIds} from '../base/command-ids.js';
import {profileViews, viewsOfTables, type ProfileView} from '../base/profile-views.js';
import {rowCommand, type RowCommand} from '../base/row-command.js';
import {figures} from '../profiles/profile-figures.js';
import type {ActiveJob, JobStore} from '../profiles/job-store.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';

/** A row of the view: an open profile, or one of its views. */
export interface ProfileItem {
  readonly profile: OpenProfile;
  /** Null for the profile itself. */
  readonly view: ProfileView | null;
}

/** A row of the active job: the job itself, or one of its ranks that is not open. */
interface JobItem {
  readonly job: ActiveJob;
  /** Null for the job itself. */
  readonly rank: number | null;
}

type Item = ProfileItem | JobItem;

/** "Profiles" in the side bar: the active job with its ranks, the open profiles, and below each of them its views. */
export class ProfileListView implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  static readonly id = 'gpuLens.profiles';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #disposables: vscode.Disposable[];
  #shown = '';

  constructor(
    private readonly store: ProfileStore,
    private readonly jobs: JobStore,
  ) {
    this.#disposables = [
      vscode.window.registerTreeDataProvider(ProfileListView.id, this),
      // Progress of an opening profile changes nothing here.
      store.onDidChange(() => {
        const shown = JSON.stringify([store.activeOpen?.key, store.open.map(({key}) => key)]);
        if (shown !== this.#shown) this.#changed.fire();
        this.#shown = shown;
      }),
      jobs.onDidChange(() => {
        this.#changed.fire();
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#changed.dispose();
  }

  getTreeItem(item: Item): vscode.TreeItem {
    return 'job' in item ? jobRow(item) : this.#profileRow(item);
  }

  #profileRow({profile, view}: ProfileItem): vscode.TreeItem {
    const open = {arguments: [profile.path, view?.command]};
    if (view) {
      const item = new vscode.TreeItem(say(view.name));
      item.id = `${String(profile.key)} ${view.command}`;
      item.iconPath = new vscode.ThemeIcon(view.icon);
      item.command = {command: commandIds.showProfileView, title: vscode.l10n.t('Show {0}', say(view.name)), ...open};
      return item;
    }
    const isActive = profile.key === this.store.activeOpen?.key;
    const {Expanded, Collapsed} = vscode.TreeItemCollapsibleState;
    const rank = this.jobs.rankOf(profile.path);
    const name = rank === null ? profile.name : rankName(rank);
    const item = new vscode.TreeItem(name, isActive ? Expanded : Collapsed);
    // VS Code remembers the collapsed state by id; a different id makes the active profile expand.
    item.id = `${String(profile.key)}${isActive ? ' active' : ''}`;
    item.description = figures(profile);
    item.tooltip = `${profile.path}\n${item.description}${isActive ? `\n${vscode.l10n.t('Active: lines and views show this profile.')}` : ''}`;
    item.iconPath = new vscode.ThemeIcon(isActive ? 'check' : 'file');
    item.contextValue = isActive ? 'active' : 'open';
    item.command = {command: commandIds.showProfileView, title: vscode.l10n.t('Make Active'), ...open};
    item.accessibilityInformation = {label: `${name}, ${item.description}${isActive ? ', active' : ''}`};
    return item;
  }

  getChildren(item?: Item): Item[] {
    const {active} = this.jobs;
    const profiles = this.store.open.map(profile => ({profile, view: null}));
    const isOfJob = ({profile}: ProfileItem) => this.jobs.rankOf(profile.path) !== null;
    if (!item) return [...(active ? [{job: active, rank: null}] : []), ...profiles.filter(one => !isOfJob(one))];
    if ('job' in item) {
      if (item.rank !== null) return [];
      const open = new Map(profiles.map(one => [this.jobs.rankOf(one.profile.path), one]));
      const {ranks, missing} = item.job.view.report;
      const numbers = [...ranks.map(({rank}) => rank), ...missing.slice(0, mostMissing)].sort((a, b) => a - b);
      return numbers.map(rank => open.get(rank) ?? {job: item.job, rank});
    }
    if (item.view) return [];
    const views = item.profile.state.summary.info.tables ? viewsOfTables : profileViews;
    return views.map(view => ({profile: item.profile, view}));
  }
}

/** A job may lack a million ranks. */
const mostMissing = 1000;

const rankName = (rank: number): string => vscode.l10n.t('Rank {0}', String(rank));

function jobRow({job, rank}: JobItem): vscode.TreeItem {
  const {report} = job.view;
  const {Expanded, None} = vscode.TreeItemCollapsibleState;
  if (rank === null) {
    const item = new vscode.TreeItem(job.name, Expanded);
    const ranks = counted(report.ranks.length, '{0} rank', '{0} ranks');
    const missing = formatCount(report.missing.length);
    item.id = `job ${String(job.key)}`;
    item.description = report.missing.length > 0 ? vscode.l10n.t('{0}, {1} missing', ranks, missing) : ranks;
    item.tooltip = jobLines(report)[0];
    item.iconPath = new vscode.ThemeIcon('server-process');
    item.contextValue = 'job';
    item.command = {command: commandIds.showActiveJob, title: vscode.l10n.t('Show Ranks as One Job')};
    return item;
  }
  const known = report.ranks.find(one => one.rank === rank);
  const item = new vscode.TreeItem(rankName(rank), None);
  item.id = `job ${String(job.key)} rank ${String(rank)}`;
  item.description = known
    ? [known.host, known.file].filter(text => text !== null).join(' · ')
    : vscode.l10n.t('no profile');
  item.iconPath = new vscode.ThemeIcon(known ? 'circle-outline' : 'circle-slash');
  item.contextValue = 'rank';
  if (known) item.command = {command: commandIds.showRank, title: vscode.l10n.t('Open Profile'), arguments: [rank]};
  return item;
}

/** Makes a profile active, and shows one of its views if its command is given. */
export function showProfileViewCommand(store: ProfileStore): (path: string, command?: string) => Promise<void> {
  return async (path, command) => {
    store.activate(path);
    if (command !== undefined) await vscode.commands.executeCommand(command);
  };
}

/** Closes the profile of a row; the active one if it comes from a key or the palette. */
export function closeProfileCommand(store: ProfileStore): RowCommand<ProfileItem> {
  return rowCommand(async ([item]) => {
    const path = item?.profile.path ?? store.active?.path;
    if (path !== undefined) await store.close(path);
  });
}
