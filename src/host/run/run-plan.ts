import type * as vscode from 'vscode';
import type {ProfileDefinition} from '../../launch/command/profile-definition.js';

/** A run that somebody has chosen, complete. */
export interface RunPlan {
  readonly definition: ProfileDefinition;
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** The task to run before, null for none. */
  readonly preLaunchTask: string | null;
}

/** One thing that can be profiled, as the list of choices shows it. */
export interface RunChoice extends vscode.QuickPickItem {
  /** Asks what is still to be known; undefined where the user gives up. @throws TraceError */
  readonly plan?: () => Promise<RunPlan | undefined>;
}
