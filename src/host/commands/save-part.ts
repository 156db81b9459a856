import {basename, dirname, join} from 'node:path';
import * as vscode from 'vscode';
import {isFields} from '../../core/base/read-json.js';
import type {NamesWritten} from '../../core/export/without-names.js';
import {formatDuration} from '../../core/format/duration.js';
import {timeWindowText} from '../../core/format/time-window-text.js';
import type {Selection} from '../../core/scope/selection.js';
import type {EngineClient} from '../../engine/client.js';
import type {EngineRequests} from '../../protocol/engine-messages.js';
import {askOne} from '../base/ask.js';
import {partListener, withCancel} from '../base/cancellable.js';
import {commandIds} from '../base/command-ids.js';
import {showFailure, type Log} from '../base/log.js';
import {showInformation} from '../base/messages.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';

export interface SavePartOptions {
  readonly store: Pick<ProfileStore, 'activeOpen' | 'open' | 'byKey'>;
  readonly scopes: Pick<ProfileScopes, 'of'>;
  readonly engine: Pick<EngineClient, 'ask'>;
  readonly log: Log;
}

/** A part of a profile, and the text for it in a file name. */
interface Part {
  readonly selection: Selection;
  readonly name: string;
}

/**
 * "Save Part of Profile As…": saves the selection in a profile's timeline, else a step, as a file to share, as
 * `gpu-lens export` writes it. Applies to the active profile, or to the view's; a step's menu names the step.
 */
export function savePartCommand(options: SavePartOptions): (asked?: unknown) => Promise<void> {
  const {store, scopes, log} = options;
  return async asked => {
    try {
      const profile = profileOf(store, asked);
      if (!profile) {
        await showInformation(vscode.l10n.t('No profile is open. Open one first, then save a part of it.'));
        return;
      }
      const part = stepOf(asked) ?? windowOf(scopes, profile) ?? (await askStep(profile));
      const names = part && (await askNames());
      if (!part || !names) return;
      const output = await askFile(profile, part);
      if (!output) return;
      // Overwriting the profile would destroy it, and its open views would no longer match the file.
      if (output.fsPath === profile.path) {
        await showInformation(vscode.l10n.t('A part cannot be saved in place of its profile: choose another name.'));
        return;
      }
      const notes = await save(options, profile, {selection: part.selection, names, output: output.fsPath});
      if (notes) await tell(output, [...notes, ...noteOn(names)]);
    } catch (error) {
      await showFailure(log, error);
    }
  };
}

/** Views name a profile by path, menus by key; the key is invalid if the profile was closed. */
function profileOf(store: SavePartOptions['store'], asked: unknown): OpenProfile | null {
  const {path, key} = isFields(asked) ? asked : {};
  if (typeof key === 'number') return store.byKey(key);
  if (typeof path === 'string') return store.open.find(profile => profile.path === path) ?? null;
  return store.activeOpen;
}

function stepOf(asked: unknown): Part | null {
  const step = isFields(asked) ? asked['step'] : undefined;
  return typeof step === 'number' && Number.isSafeInteger(step) ? partOfStep(step) : null;
}

function partOfStep(step: number): Part {
  return {selection: {step}, name: `step-${String(step)}`};
}

function windowOf(scopes: SavePartOptions['scopes'], profile: OpenProfile): Part | null {
  const window = scopes.of(profile);
  return window && {selection: {...window}, name: timeWindowText(window).replace('–', '-').replace(' ', '')};
}

/** Returns undefined if the user chose none, or there is none. */
async function askStep({state}: OpenProfile): Promise<Part | undefined> {
  // Steps of several processes with the same number form one part.
  const steps = new Map(state.summary.steps.map(step => [step.number, step]));
  if (steps.size === 0) {
    await showInformation(
      vscode.l10n.t('This profile has no steps: drag over an area of its timeline, and save that.'),
    );
    return undefined;
  }
  const items = [...steps.values()].map(({number, startNs, endNs}) => ({
    label: vscode.l10n.t('Step {0}', String(number)),
    description: formatDuration(endNs - startNs),
    number,
  }));
  const chosen = await askOne(items, {
    title: vscode.l10n.t('The step to save'),
    placeHolder: vscode.l10n.t('Another part: drag over an area of the timeline first'),
  });
  return chosen && partOfStep(chosen.number);
}

async function askNames(): Promise<NamesWritten | undefined> {
  const item = (names: NamesWritten, label: string, detail: string) => ({names, label, detail});
  const items = [
    item(
      'keep',
      vscode.l10n.t('Keep names'),
      vscode.l10n.t('Ranges, kernels, paths and arguments as the profile has them'),
    ),
    item(
      'hash',
      vscode.l10n.t('Hash names'),
      vscode.l10n.t('Equal names get equal hashes, by a key that is not kept; no paths, no arguments'),
    ),
    item('drop', vscode.l10n.t('Drop names'), vscode.l10n.t('Only kinds and times; no paths, no arguments')),
  ];
  return (await askOne(items, {title: vscode.l10n.t('Names of your program in the saved part')}))?.names;
}

async function askFile({path, state}: OpenProfile, {name}: Part): Promise<vscode.Uri | undefined> {
  const stem = basename(path).replace(/(\.(pt|trace|json|gz|zst|sqlite|nsys-rep|pftrace|perfetto|db))+$/i, '');
  const ending = state.summary.copiesParts ? 'pt.trace.json.gz' : 'perfetto.json.gz';
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Part of Profile'),
    defaultUri: vscode.Uri.file(join(dirname(path), `${stem}.${name}.${ending}`)),
    // VS Code's own dialog looks only at the last extension, and adds the first of these if it is not listed.
    filters: {'PyTorch (.pt.trace.json.gz), Perfetto (.perfetto.json.gz)': ['gz', 'json']},
  });
}

/** Saves with a progress message that can be cancelled; null if it was. */
async function save(
  {engine}: SavePartOptions,
  {state}: OpenProfile,
  wanted: Pick<EngineRequests['profile/save-part']['params'], 'selection' | 'names' | 'output'>,
): Promise<readonly string[] | null> {
  const to = /\.perfetto\.json(\.gz)?$/i.test(wanted.output) ? 'perfetto' : 'pytorch';
  const asked = {profile: state.summary.id, to, ...wanted} as const;
  return withCancel(vscode.l10n.t('Saving {0}', basename(wanted.output)), ({signal, progress}) =>
    engine.ask('profile/save-part', asked, {signal, onProgress: partListener(progress)}),
  );
}

function noteOn(names: NamesWritten): string[] {
  if (names === 'keep') return [];
  return [vscode.l10n.t('Names of the program, paths and arguments are left out.')];
}

async function tell(output: vscode.Uri, notes: readonly string[]): Promise<void> {
  const open = vscode.l10n.t('Open');
  const saved = vscode.l10n.t('Saved {0}.', basename(output.fsPath));
  if ((await showInformation([saved, ...notes].join(' '), open)) !== open) return;
  await vscode.commands.executeCommand(commandIds.openProfile, output);
}
