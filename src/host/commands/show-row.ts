import * as vscode from 'vscode';
import {displayName} from '../../core/names/slice-name.js';
import {noLineLaunches, noLineOpens} from '../../core/source/no-line.js';
import {flameOfRow} from '../../core/tabs/row-flame.js';
import type {RowPlace} from '../../core/tabs/row-place.js';
import type {EngineClient} from '../../engine/client.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {RevealKernelFile} from '../source/reveal-kernel-file.js';
import type {RevealLaunches} from '../source/reveal-launches.js';
import type {RevealSource} from '../source/reveal-source.js';
import type {ShownRow} from '../../protocol/view-messages.js';
import type {TimelineView} from '../views/timeline-view.js';
import type {ShowRow} from '../views/view-connection.js';
import type {ViewPanel} from '../views/view-panel.js';

interface Services {
  readonly store: ProfileStore;
  readonly engine: EngineClient;
  readonly timeline: TimelineView;
  readonly flame: ViewPanel;
  readonly revealSource: RevealSource;
  readonly revealLaunches: RevealLaunches;
  readonly revealKernelFile: RevealKernelFile;
  readonly log: Log;
}

/** Shows the subject of a table's row: in the timeline, in the flame graph, or in the source. */
export function showRowCommand(services: Services): ShowRow {
  const show = {flame: showInFlame, source: showSource, timeline: showInTimeline, 'what-if': showWhatIf};
  return async (key, row, target) => {
    const profile = services.store.byKey(key);
    if (!profile) return;
    try {
      await show[target](services, profile, row);
    } catch (error) {
      await showFailure(services.log, error);
    }
  };
}

async function showInFlame({store, flame}: Services, profile: OpenProfile, row: ShownRow): Promise<void> {
  // The flame graph is the active profile's.
  if (profile.key !== store.activeOpen?.key) store.activate(profile.path);
  await flame.showSelection(flameOfRow(row));
}

async function showSource(services: Services, profile: OpenProfile, row: ShownRow): Promise<void> {
  const {engine, revealSource, revealLaunches, revealKernelFile} = services;
  const {kind, name, selection, stack} = row;
  if (kind !== 'kernel' && kind !== 'operation') {
    const names = kind === 'range' ? await namesOfRange(engine, profile, row) : [name];
    if (!(await revealSource(name, profile.state, names))) await showInformation(noLineOpens(name));
    return;
  }
  const sources = await engine.ask('tables/launches', {
    ...{profile: profile.state.summary.id, row: kind, name, selection, stack},
  });
  if (await revealLaunches({name, noun: kind}, sources, profile.state)) return;
  // If no line is known, the file may still name the source of a compiled kernel.
  const slice = sources.find(({operatorSlice}) => operatorSlice >= 0)?.operatorSlice;
  const id = profile.state.summary.id;
  const facts = slice === undefined ? [] : await engine.ask('slice/arguments', {profile: id, slice});
  if (!(await revealKernelFile(name, facts))) await showInformation(noLineLaunches(displayName(name)));
}

async function showWhatIf({engine}: Services, profile: OpenProfile, row: ShownRow): Promise<void> {
  const names = row.kind === 'range' ? await namesOfRange(engine, profile, row) : [row.name];
  await vscode.commands.executeCommand(commandIds.showWhatIf, {names, key: profile.key});
}

/** Returns the names of the ranges that a row sums up; several if they are folded into it. */
async function namesOfRange(engine: EngineClient, profile: OpenProfile, row: ShownRow): Promise<readonly string[]> {
  const place = await placeOf(engine, profile, row);
  return place?.names ?? [row.name];
}

function placeOf(engine: EngineClient, {state}: OpenProfile, {kind, ...what}: ShownRow): Promise<RowPlace | null> {
  return engine.ask('tables/place', {profile: state.summary.id, row: kind, ...what});
}

async function showInTimeline({engine, timeline}: Services, profile: OpenProfile, row: ShownRow): Promise<void> {
  const place = await placeOf(engine, profile, row);
  if (place) await timeline.reveal(place);
  else await showInformation(vscode.l10n.t('This row has no place in the timeline.'));
}
