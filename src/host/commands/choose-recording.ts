import * as vscode from 'vscode';
import {optionCostText, type CostedOption} from '../../core/benchmark/option-costs.js';
import {askList} from '../base/ask.js';
import {showInformation} from '../base/messages.js';
import {measuredName, type MeasuredCosts} from '../run/measured-costs.js';
import type {RunPlan} from '../run/run-plan.js';
import {readSettings, section} from '../base/settings.js';
import {filePlan, runPlan, type RunServices} from './profile-model-step.js';

interface OptionItem extends vscode.QuickPickItem {
  readonly option: CostedOption;
}

const labels: Readonly<Record<CostedOption, string>> = {
  shapes: vscode.l10n.t('Shapes of tensors'),
  stacks: vscode.l10n.t('Python stacks'),
  memory: vscode.l10n.t('Allocations of memory'),
};
const settings: Readonly<Record<CostedOption, string>> = {
  shapes: 'run.recordShapes',
  stacks: 'run.recordStacks',
  memory: 'run.recordMemory',
};
const measureButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('watch'),
  tooltip: vscode.l10n.t('Measure what each costs: the script is run once more, with some steps for each'),
};

/** "Choose what to record": lists what the profiler records besides time, each with its cost if it was measured. */
export function chooseRecordingCommand(services: RunServices): () => Promise<void> {
  return async () => {
    const script = activeScript();
    const folder = (script && vscode.workspace.getWorkspaceFolder(script)) ?? vscode.workspace.workspaceFolders?.[0];
    const answer = await ask(services.costs.of(namesOf(services)), readSettings(folder?.uri).recording);
    if (answer === 'measure') return measure(services);
    if (!answer) return;
    const configuration = vscode.workspace.getConfiguration(section, folder?.uri);
    const target = folder ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    for (const [option, key] of Object.entries(settings) as [CostedOption, string][]) {
      const isPicked = answer.includes(option);
      // Unchanged settings stay where they are set.
      if (configuration.get(key) !== isPicked) await configuration.update(key, isPicked, target);
    }
  };
}

/** Returns the cost shown beside an option. */
export function costText(measured: MeasuredCosts | null, option: CostedOption): string {
  const cost = measured?.costs.find(one => one.option === option);
  if (!measured || !cost) return vscode.l10n.t('what it costs is not measured');
  return vscode.l10n.t('{0}, measured on {1}', optionCostText(cost), measured.name);
}

async function ask(
  measured: MeasuredCosts | null,
  recording: Readonly<Partial<Record<CostedOption, boolean>>>,
): Promise<readonly CostedOption[] | 'measure' | undefined> {
  const picker = vscode.window.createQuickPick<OptionItem>();
  picker.title = vscode.l10n.t('What the PyTorch profiler records');
  picker.placeholder = vscode.l10n.t('The clock above measures what each costs a step');
  picker.canSelectMany = true;
  picker.buttons = [measureButton];
  picker.items = (Object.keys(labels) as CostedOption[]).map(option => ({
    option,
    label: labels[option],
    description: costText(measured, option),
  }));
  picker.selectedItems = picker.items.filter(({option}) => recording[option] === true);
  return askList(picker, answer => {
    picker.onDidTriggerButton(() => {
      answer('measure');
    });
    picker.onDidAccept(() => {
      answer(picker.selectedItems.map(({option}) => option));
    });
  });
}

/** Runs the script in the editor, else the last run, with steps that measure the cost of options. */
async function measure(services: RunServices): Promise<void> {
  const plan = async (): Promise<RunPlan | undefined> => {
    const file = activeScript();
    const chosen = file ? await filePlan(file, services.scriptArguments.last(file)) : services.lastRun.plan;
    if (!chosen) {
      void showInformation(vscode.l10n.t('Open the script to measure, or profile something first.'));
      return undefined;
    }
    return {...chosen, definition: {...chosen.definition, profiler: 'pytorch', costs: true}};
  };
  await runPlan(services, plan, false);
}

/** Returns whose costs are shown: the script in the editor, then the last run. */
function namesOf({lastRun}: RunServices): string[] {
  const [file, last] = [activeScript(), lastRun.plan];
  return [
    ...(file ? [vscode.workspace.asRelativePath(file)] : []),
    ...(last ? [measuredName(last.definition, last.folder)] : []),
  ];
}

function activeScript(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === 'file' && document.languageId === 'python' ? document.uri : undefined;
}
