import * as vscode from 'vscode';
import {commandIds} from '../base/command-ids.js';
import {profileViews, viewsOfTables, type ProfileView} from '../base/profile-views.js';
import {figures} from '../profiles/profile-figures.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';

/** A row of the view: an open profile, or one of its views. */
export interface ProfileItem {
  readonly profile: OpenProfile;
  /** Null for the profile itself. */
  readonly view: ProfileView | null;
}

/** "Profiles" in the side bar: the open profiles, and under each the views that show it. */
export class ProfileListView implements vscode.TreeDataProvider<ProfileItem>, vscode.Disposable {
  static readonly id = 'gpuLens.profiles';
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #disposables: vscode.Disposable[];
  #shown = '';

  constructor(private readonly store: ProfileStore) {
    this.#disposables = [
      vscode.window.registerTreeDataProvider(ProfileListView.id, this),
      // The progress of an opening changes nothing that is shown here.
      store.onDidChange(() => {
        const shown = JSON.stringify([store.activeOpen?.key, store.open.map(({key}) => key)]);
        if (shown !== this.#shown) this.#changed.fire();
        this.#shown = shown;
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#changed.dispose();
  }

  getTreeItem({profile, view}: ProfileItem): vscode.TreeItem {
    const open = {arguments: [profile.path, view?.command]};
    if (view) {
      const item = new vscode.TreeItem(view.title);
      item.id = `${String(profile.key)} ${view.command}`;
      item.iconPath = new vscode.ThemeIcon(view.icon);
      item.command = {command: commandIds.showProfileView, title: `Show ${view.title}`, ...open};
      return item;
    }
    const isActive = profile.key === this.store.activeOpen?.key;
    const {Expanded, Collapsed} = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(profile.name, isActive ? Expanded : Collapsed);
    // VS Code keeps what is folded under the id: another one lets the active profile unfold.
    item.id = `${String(profile.key)}${isActive ? ' active' : ''}`;
    item.description = figures(profile);
    item.tooltip = `${profile.path}\n${item.description}${isActive ? '\nActive: lines and views show this profile.' : ''}`;
    item.iconPath = new vscode.ThemeIcon(isActive ? 'check' : 'file');
    item.contextValue = isActive ? 'active' : 'open';
    item.command = {command: commandIds.showProfileView, title: 'Make Active', ...open};
    item.accessibilityInformation = {label: `${profile.name}, ${item.description}${isActive ? ', active' : ''}`};
    return item;
  }

  getChildren(item?: ProfileItem): ProfileItem[] {
    if (!item) return this.store.open.map(profile => ({profile, view: null}));
    if (item.view) return [];
    const views = item.profile.state.summary.info.tables ? viewsOfTables : profileViews;
    return views.map(view => ({profile: item.profile, view}));
  }
}

/** Makes a profile active, and shows one of its views where a command for it is given. */
export function showProfileViewCommand(store: ProfileStore): (path: string, command?: string) => Promise<void> {
  return async (path, command) => {
    store.activate(path);
    if (command !== undefined) await vscode.commands.executeCommand(command);
  };
}

/** Closes the profile of a row of the view, or the active one. */
export function closeProfileCommand(store: ProfileStore): (item?: ProfileItem) => Promise<void> {
  return async item => {
    const path = item?.profile.path ?? store.active?.path;
    if (path !== undefined) await store.close(path);
  };
}
