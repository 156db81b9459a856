import type * as vscode from 'vscode';
import type {ProfileDefinition} from '../../launch/command/profile-definition.js';

/** The source of a run, so that its current definition can be read again. */
export type RunOrigin =
  | {
      readonly from: 'launch configuration';
      readonly name: string;
      /** A digest of its text when it was read, since the text may contain secrets. */
      readonly digest: string;
      /** The value of `${file}`. */
      readonly file: string | null;
    }
  | {readonly from: 'task'; readonly name: string; readonly source: string};

/** A complete run that the user has chosen. */
export interface RunPlan {
  readonly definition: ProfileDefinition;
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** The task to run before, null for none. */
  readonly preLaunchTask: string | null;
  readonly origin?: RunOrigin;
}

/** One entry of the list of what can be profiled. */
export interface RunChoice extends vscode.QuickPickItem {
  /** Asks for what is missing; undefined if the user cancels. @throws TraceError */
  readonly plan?: () => Promise<RunPlan | undefined>;
}
