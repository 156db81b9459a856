import * as vscode from 'vscode';
import {crossChecker} from '../../launch/command/profile-definition.js';
import {pick, runPlan, type RunServices} from './profile-model-step.js';

/**
 * "Measure a step three ways": runs the user's choice with only a clock, under the PyTorch profiler and under nsys, and
 * shows all three.
 */
export function crossCheckCommand(services: RunServices): () => Promise<void> {
  return () =>
    runPlan(
      services,
      async () => {
        const plan = await pick(services, vscode.l10n.t('Measure a step three ways'));
        return plan && {...plan, definition: {...plan.definition, profiler: crossChecker}};
      },
      false,
    );
}
