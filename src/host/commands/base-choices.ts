import * as vscode from 'vscode';
import {askOne, askText} from '../base/ask.js';
import type {TimeWindow} from '../../core/base/time-window.js';
import {parseTimeWindow, timeWindowText} from '../../core/format/time-window-text.js';
import type {Selection} from '../../core/scope/selection.js';
import {earlierTrace} from '../../launch/history/earlier-run.js';
import {plainLabel} from '../base/messages.js';
import {figures} from '../profiles/profile-figures.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import type {KeptRun, RunHistory} from '../runs/run-history.js';
import {runDescription, runTitle} from '../runs/run-rows.js';
import {pickFile} from './open-profile.js';

/** A part of a profile, and its name. */
export interface PartChoice {
  readonly selection: Selection;
  readonly text: string;
}

/** What a profile is compared with: another profile, or two parts of its own with each other. */
export type Compared =
  | {readonly type: 'file'; readonly path: string}
  | {readonly type: 'parts'; readonly before: PartChoice; readonly after: PartChoice};

type Choice = vscode.QuickPickItem & {readonly take?: () => Promise<Compared | undefined>};

/**
 * Asks what to compare a profile with: another open profile, the previous run, a pinned baseline, any recorded run (by
 * name, label, commit or GPU), two of its own steps or windows, or a file. Undefined if nothing was chosen.
 *
 * @param area the window selected in its timeline; null for none
 */
export async function chooseBase(
  changed: OpenProfile,
  open: readonly OpenProfile[],
  history: Pick<RunHistory, 'runs'>,
  area: TimeWindow | null,
): Promise<Compared | undefined> {
  const others = open.filter(({path}) => path !== changed.path);
  const known = new Set([changed.path, ...others.map(({path}) => path)]);
  const [earlier, runs] = await Promise.all([earlierTrace(changed.path), history.runs()]);
  const listed = runs.filter(({profiles}) => profiles[0] !== undefined && !known.has(profiles[0]));
  const before = earlier === null || known.has(earlier) ? [] : [earlier];
  const choices: Choice[] = [
    ...section(vscode.l10n.t('open'), others.map(openChoice)),
    ...section(
      vscode.l10n.t('run before'),
      before.map(path => ({label: vscode.l10n.t('$(history) The run before'), detail: path, take: take(path)})),
    ),
    ...section(vscode.l10n.t('pinned baselines'), listed.filter(({isPinned}) => isPinned).map(runChoice)),
    ...section(vscode.l10n.t('recorded runs'), listed.filter(({isPinned}) => !isPinned).map(runChoice)),
    ...section(vscode.l10n.t('other'), [...stepsChoice(changed), windowsChoice(changed, area), fileChoice]),
  ];
  const choice = await askOne(choices, {
    title: plainLabel(vscode.l10n.t('Compare {0}', changed.name)),
    placeHolder: vscode.l10n.t('The run before the change'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return choice?.take?.();
}

function section(label: string, choices: readonly Choice[]): Choice[] {
  return choices.length === 0 ? [] : [{label, kind: vscode.QuickPickItemKind.Separator}, ...choices];
}

const take = (path: string) => (): Promise<Compared> => Promise.resolve({type: 'file', path});

function openChoice(profile: OpenProfile): Choice {
  const {name, path} = profile;
  return {label: plainLabel(name), description: figures(profile), detail: path, take: take(path)};
}

function runChoice(run: KeptRun): Choice {
  const icon = run.isPinned ? '$(pinned) ' : '';
  return {
    label: icon + plainLabel(runTitle(run)),
    description: plainLabel(runDescription({run, trend: ''})),
    detail: plainLabel(run.folder),
    take: take(run.profiles[0] ?? ''),
  };
}

const fileChoice: Choice = {
  label: vscode.l10n.t('$(folder-opened) Choose a File…'),
  take: async () => {
    const path = await pickFile(vscode.l10n.t('Compare with Profile'), vscode.l10n.t('Compare'));
    return path === undefined ? undefined : {type: 'file', path};
  },
};

/** The step numbers of a profile, each once: several processes can have a step with the same number. */
function stepsChoice({name, state}: OpenProfile): Choice[] {
  const numbers = [...new Set(state.summary.steps.map(step => step.number))].sort((a, b) => a - b);
  if (numbers.length < 2) return [];
  const ask = async (placeHolder: string, left: readonly number[]) => {
    const steps = left.map(step => ({label: vscode.l10n.t('Step {0}', String(step)), step}));
    return (
      await askOne(steps, {
        title: plainLabel(vscode.l10n.t('Compare steps of {0}', name)),
        placeHolder,
      })
    )?.step;
  };
  const takeSteps = async (): Promise<Compared | undefined> => {
    const before = await ask(vscode.l10n.t('The step to compare with'), numbers);
    if (before === undefined) return undefined;
    const after = await ask(
      vscode.l10n.t('The step that is compared with step {0}', String(before)),
      numbers.filter(one => one !== before),
    );
    return after === undefined ? undefined : {type: 'parts', before: stepPart(before), after: stepPart(after)};
  };
  return [{label: vscode.l10n.t('$(list-ordered) Two Steps of This Profile…'), take: takeSteps}];
}

function stepPart(step: number): PartChoice {
  return {selection: {step}, text: vscode.l10n.t('step {0}', String(step))};
}

function windowsChoice({name}: OpenProfile, area: TimeWindow | null): Choice {
  const ask = async (prompt: string, value: string) => {
    const text = await askText({
      ...{title: plainLabel(vscode.l10n.t('Compare windows of {0}', name)), prompt, value, placeHolder: '120-180.5 ms'},
      validateInput: typed =>
        parseTimeWindow(typed) ? null : vscode.l10n.t('Two times and their unit, the earlier one first: 120-180.5 ms'),
    });
    const window = text === undefined ? null : parseTimeWindow(text);
    return window && {selection: window, text: timeWindowText(window)};
  };
  const takeWindows = async (): Promise<Compared | undefined> => {
    const before = await ask(vscode.l10n.t('The window to compare with'), area ? timeWindowText(area) : '');
    const after = before && (await ask(vscode.l10n.t('The window that is compared with it'), ''));
    return before && after ? {type: 'parts', before, after} : undefined;
  };
  return {label: vscode.l10n.t('$(arrow-both) Two Windows of This Profile…'), take: takeWindows};
}
