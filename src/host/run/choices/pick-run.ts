import * as vscode from 'vscode';
import {askList} from '../../base/ask.js';
import type {RunChoice} from '../run-plan.js';

/** The choices known at once, in groups, and those that VS Code must look for. */
export interface ChoiceGroups {
  /** The purpose of the choice. */
  readonly title: string;
  readonly first: readonly RunChoice[];
  readonly groups: readonly {readonly title: string; readonly choices: readonly RunChoice[]}[];
  readonly later: {readonly title: string; readonly choices: Promise<readonly RunChoice[]>};
  readonly last: readonly RunChoice[];
}

/** Asks what to profile. Choices found later are added to the open list. Undefined if the user cancels. */
export async function pickRun(asked: ChoiceGroups): Promise<RunChoice | undefined> {
  const {first, groups, later, last} = asked;
  const picker = vscode.window.createQuickPick<RunChoice>();
  picker.title = asked.title;
  picker.placeholder = vscode.l10n.t('What to run and record');
  picker.matchOnDescription = true;
  const show = (found: readonly RunChoice[]) => {
    const active = picker.activeItems;
    picker.items = [
      ...first,
      ...groups.flatMap(({title, choices}) => grouped(title, choices)),
      ...grouped(later.title, found),
      ...grouped(vscode.l10n.t('other'), last),
    ];
    if (active.length > 0) picker.activeItems = active;
  };
  show([]);
  picker.busy = true;
  void later.choices
    .catch(() => [])
    .then(found => {
      show(found);
      picker.busy = false;
    });
  return askList(picker, answer => {
    picker.onDidAccept(() => {
      answer(picker.selectedItems[0]);
    });
  });
}

function grouped(title: string, choices: readonly RunChoice[]): RunChoice[] {
  return choices.length === 0 ? [] : [{label: title, kind: vscode.QuickPickItemKind.Separator}, ...choices];
}
