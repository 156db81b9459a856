import * as vscode from 'vscode';
import {describeError} from '../../../core/base/errors.js';
import {showInformation} from '../../base/messages.js';
import type {RunPlan} from '../run-plan.js';
import {launchPlanNow} from './launch-choices.js';
import {taskPlanNow} from './task-choices.js';

/**
 * Returns a plan as its launch configuration or task defines it now, and tells the user if it changed. Returns the plan
 * unchanged if that is gone, or cannot be run.
 */
export async function planNow(plan: RunPlan): Promise<RunPlan> {
  const {origin, folder} = plan;
  if (!origin || !folder) return plan;
  const what = `The ${origin.from} “${origin.name}”`;
  try {
    const now = origin.from === 'task' ? await taskPlanNow(origin, folder) : await launchPlanNow(origin, folder);
    if (now === 'same') return plan;
    if (now === 'gone') {
      void showInformation(vscode.l10n.t('{0} is gone. It runs as it did the last time.', what));
      return plan;
    }
    if (textOf(now) !== textOf(plan))
      void showInformation(vscode.l10n.t('{0} has changed. It runs as it says now.', what));
    return now;
  } catch (error) {
    const {message} = describeError(error, 'launch/not-started');
    void showInformation(vscode.l10n.t('{0} It runs as it did the last time.', message));
    return plan;
  }
}

function textOf({definition, preLaunchTask}: RunPlan): string {
  return JSON.stringify([definition, preLaunchTask]);
}
