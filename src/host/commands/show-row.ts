import {isAbsolute, join} from 'node:path';
import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../log.js';
import {showInformation} from '../messages.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {FlamePanel} from '../views/flame-panel.js';
import type {TimelineView} from '../views/timeline-view.js';
import type {ShowRow} from '../views/view-connection.js';

interface Services {
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly timeline: TimelineView;
  readonly flame: FlamePanel;
  readonly log: Log;
}

/** Shows what a row of a table is about: in the timeline, in the flame graph, or where its range is opened. */
export function showRowCommand({store, engine, timeline, flame, log}: Services): ShowRow {
  return async (key, row, name, target) => {
    const profile = store.byKey(key);
    if (!profile) return;
    try {
      if (target === 'flame') flame.show();
      else if (target === 'source') await showSource(profile, name);
      else {
        const place = await engine.ask('tables/place', {profile: profile.state.summary.id, row, name});
        if (place) await timeline.reveal(place);
        else await showInformation('This row has no place in the timeline.');
      }
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

/** Opens the line that the runner saw open the range. */
async function showSource({state}: OpenProfile, name: string): Promise<void> {
  const site = state.sidecar?.sites.find(candidate => candidate.name === name);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!site || (folder === undefined && !isAbsolute(site.file))) {
    await showInformation('Which line opens this range is known only of profiles that GPU Lens has recorded.');
    return;
  }
  const path = isAbsolute(site.file) ? site.file : join(folder ?? '', site.file);
  const line = new vscode.Position(site.line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), {selection: new vscode.Range(line, line)});
}
