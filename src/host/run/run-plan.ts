import type * as vscode from 'vscode';
import type {ProfileDefinition} from '../../launch/command/profile-definition.js';

/** Where a run was chosen from, so that what is said there can be read again. */
export type RunOrigin =
  | {
      readonly from: 'launch configuration';
      readonly name: string;
      /** A digest of its text as it was read: the text may have secrets. */
      readonly digest: string;
      /** What `${file}` was. */
      readonly file: string | null;
    }
  | {readonly from: 'task'; readonly name: string; readonly source: string};

/** A run that somebody has chosen, complete. */
export interface RunPlan {
  readonly definition: ProfileDefinition;
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** The task to run before, null for none. */
  readonly preLaunchTask: string | null;
  readonly origin?: RunOrigin;
}

/** One thing that can be profiled, as the list of choices shows it. */
export interface RunChoice extends vscode.QuickPickItem {
  /** Asks what is still to be known; undefined where the user gives up. @throws TraceError */
  readonly plan?: () => Promise<RunPlan | undefined>;
}
