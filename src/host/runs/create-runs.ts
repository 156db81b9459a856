import {commandIds} from '../base/command-ids.js';
import {RunActions, type RunActionServices} from './run-actions.js';
import {RunsView} from './runs-view.js';

type Services = Omit<RunActionServices, 'selection'>;

/** The view "Runs" in the side bar, and what can be done to its rows. */
export function createRunsView(services: Services): {
  readonly disposable: RunsView;
  readonly commands: Record<string, (...args: never[]) => unknown>;
} {
  const {history, log} = services;
  const view = new RunsView(history, log);
  const actions = new RunActions({...services, selection: () => view.selection});
  return {
    disposable: view,
    commands: {
      [commandIds.openRun]: actions.open,
      [commandIds.openSweep]: actions.openSweep,
      [commandIds.compareRun]: actions.compare,
      [commandIds.labelRun]: actions.label,
      [commandIds.pinRun]: actions.pin,
      [commandIds.unpinRun]: actions.unpin,
      [commandIds.deleteRun]: actions.delete,
      [commandIds.exportRun]: actions.export,
      [commandIds.readRunsAgain]: () => {
        history.refresh();
      },
    },
  };
}
