import {foldName} from '../../core/format/operator-name.js';
import {displayName} from '../../core/format/slice-name.js';
import {filterOfName} from '../../core/queries/range-filter.js';
import {noLineOpens} from '../../core/source/no-line.js';
import type {TableTab} from '../../core/tables/table-tabs.js';
import type {EngineClient} from '../../engine/client.js';
import {showFailure, type Log} from '../log.js';
import {showInformation} from '../messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';
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
  readonly log: Log;
}

/** Shows what a row of a table is about: in the timeline, its range in the flame graph, or where that is opened. */
export function showRowCommand({store, engine, timeline, flame, revealSource, log}: Services): ShowRow {
  return async (key, {kind, name, selection}, target) => {
    const profile = store.byKey(key);
    if (!profile) return;
    try {
      if (target === 'flame' && kind === 'range') await flame.showRange(filterOfName(name));
      else if (target === 'flame') await flame.showSelection(selection, kind === 'step' ? null : blockName(kind, name));
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

/** What a flame graph calls what a row is about. */
function blockName(kind: TableTab['row'], name: string): string {
  return kind === 'operator' ? foldName(name) : displayName(name);
}
