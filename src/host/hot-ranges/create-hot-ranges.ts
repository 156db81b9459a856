import * as vscode from 'vscode';
import {firstOfFolded, isFoldedModule, starredModule} from '../../core/figures/module-labels.js';
import type {NamePattern} from '../../core/names/name-pattern.js';
import {noLineOpens} from '../../core/source/no-line.js';
import type {EngineClient} from '../../engine/client.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import {rowCommand} from '../base/row-command.js';
import type {JobStore} from '../profiles/job-store.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {RecordedFiles} from '../source/recorded-files.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {WorkspaceIndex} from '../source/workspace-index.js';
import {FileBadges} from './file-badges.js';
import {HotRangesView, type RangeItem} from './hot-ranges-view.js';

interface Services {
  readonly store: ProfileStore;
  readonly jobs: JobStore;
  readonly scopes: ProfileScopes;
  readonly engine: EngineClient;
  readonly revealSource: RevealSource;
  readonly workspace: WorkspaceIndex;
  readonly files: RecordedFiles;
  readonly log: Log;
}

/** Shows the active profile's ranges by path in the side bar, and badges on files in the explorer. */
export function createHotRanges(services: Services): {
  readonly disposable: vscode.Disposable;
  readonly commands: Record<string, (...args: never[]) => unknown>;
} {
  const {store, jobs, scopes, engine, workspace, files, log} = services;
  const view = new HotRangesView(store, jobs, scopes, engine, workspace, log);
  const badges = new FileBadges(store, scopes, engine, workspace, files, log);
  const run = (command: string, argument: (item: RangeItem) => unknown) =>
    rowCommand<RangeItem>(([item]) => item && vscode.commands.executeCommand(command, argument(item)));
  return {
    disposable: vscode.Disposable.from(view, badges, vscode.window.registerFileDecorationProvider(badges)),
    commands: {
      [commandIds.filterHotRanges]: () => view.filter(),
      [commandIds.readHotRangesAgain]: () => {
        view.readAgain();
      },
      [commandIds.revealRange]: rowCommand<RangeItem>(([item]) => item && reveal(services, item.name)),
      [commandIds.showHotRangeInTimeline]: run(commandIds.showRangeInTimeline, item => [patternOf(item)]),
      [commandIds.showHotRangeFlame]: run(commandIds.showRangeFlame, ({name}) => [starredModule(name)]),
    },
  };
}

async function reveal({store, revealSource, log}: Services, name: string): Promise<void> {
  const profile = store.activeOpen;
  if (!profile) return;
  try {
    if (!(await revealSource(firstOfFolded(name), profile.state))) await showInformation(noLineOpens(name));
  } catch (error) {
    await showFailure(log, error);
  }
}

/** Returns the names that a node represents: steps form one node, with "*" for their numbers, as do identical layers. */
function patternOf({name, isFolded}: RangeItem): NamePattern {
  if (isFoldedModule(name)) return starredModule(name).split('*');
  return isFolded ? [name.slice(0, -1), ''] : [name];
}
