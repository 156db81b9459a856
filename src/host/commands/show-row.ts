import {foldName} from '../../core/format/operator-name.js';
import {displayName} from '../../core/format/slice-name.js';
import {filterOfName} from '../../core/queries/range-filter.js';
import type {Selection} from '../../core/queries/selection.js';
import {noLineLaunches, noLineOpens} from '../../core/source/no-line.js';
import type {TableTab} from '../../core/tables/table-tabs.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../log.js';
import {showInformation} from '../messages.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import type {RevealLaunches} from '../source/reveal-launches.js';
import type {RevealSource} from '../source/reveal-source.js';
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
  readonly log: Log;
}

/** Shows what a row of a table is about: in the timeline, its range in the flame graph, or where that is opened. */
export function showRowCommand(services: Services): ShowRow {
  const {store, engine, timeline, flame, revealSource, log} = services;
  return async (key, {kind, name, selection}, target) => {
    const profile = store.byKey(key);
    if (!profile) return;
    try {
      if (target === 'flame' && kind === 'range') await flame.showRange(filterOfName(name));
      else if (target === 'flame') await flame.showSelection(selection, kind === 'step' ? null : blockName(kind, name));
      else if (target === 'source' && kind === 'kernel') await showLaunches(services, profile, name, selection);
      else if (target === 'source') {
        if (!(await revealSource(name, profile.state))) await showInformation(noLineOpens(name));
      } else {
        const place = await engine.ask('tables/place', {profile: profile.state.summary.id, row: kind, name, selection});
        if (place) await timeline.reveal(place);
        else await showInformation('This row has no place in the timeline.');
      }
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

async function showLaunches(
  {engine, revealLaunches}: Services,
  {state}: OpenProfile,
  kernel: string,
  selection: Selection,
): Promise<void> {
  const sources = await engine.ask('tables/launches', {profile: state.summary.id, kernel, selection});
  if (!(await revealLaunches(kernel, sources, state))) await showInformation(noLineLaunches(displayName(kernel)));
}

/** What a flame graph calls what a row is about. */
function blockName(kind: TableTab['row'], name: string): string {
  return kind === 'operator' ? foldName(name) : displayName(name);
}
