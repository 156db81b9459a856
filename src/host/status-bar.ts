import * as vscode from 'vscode';
import {formatDuration} from '../core/format/duration.js';
import type {LineTiming} from '../core/lines/line-timings.js';
import type {EngineClient} from '../engine/client.js';
import {commandIds} from './base/command-ids.js';
import {figures} from './profiles/profile-figures.js';
import type {OpenProfile, ProfileStore} from './profiles/profile-store.js';

/** The context key of menus and views that need a profile. */
const contextKey = 'gpuLens.hasProfile';

/**
 * Creates the status bar item with the active profile and its GPU time per step; a click lists the others, and further
 * actions. Hidden while there is none.
 */
export function createStatusBarItem(store: ProfileStore, engine: EngineClient): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('gpuLens.profile', vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t('GPU Lens profile');
  item.command = commandIds.switchProfile;
  let hasProfile: boolean | null = null;
  /** The profile shown, and its steps: progress of others changes nothing. */
  let shownKey: number | null = null;
  const listener = store.onDidChange(update);
  update();
  return vscode.Disposable.from(item, listener);

  function update(): void {
    const {active, activeOpen} = store;
    if (hasProfile !== (activeOpen !== null)) {
      hasProfile = activeOpen !== null;
      void vscode.commands.executeCommand('setContext', contextKey, hasProfile);
    }
    if (activeOpen) {
      if (activeOpen.key === shownKey) return;
      shownKey = activeOpen.key;
      show(activeOpen, figures(activeOpen));
      void showSteps(activeOpen);
      return;
    }
    shownKey = null;
    if (active?.state.kind === 'opening') {
      item.text = `$(loading~spin) ${active.name} ${String(Math.floor(100 * active.state.fraction))} %`;
      item.tooltip = vscode.l10n.t('GPU Lens is opening {0}.', active.path);
      item.show();
    } else item.hide();
  }

  function show({name, path}: OpenProfile, text: string): void {
    item.text = `$(flame) ${name} · ${text}`;
    item.tooltip = vscode.l10n.t('GPU Lens shows {0}. Click to switch, clear or profile again.', path);
    item.show();
  }

  async function showSteps(profile: OpenProfile): Promise<void> {
    if (profile.state.summary.steps.length === 0) return;
    const question = {profile: profile.state.summary.id, patterns: [[]], of: 'steps'} as const;
    const [timing] = await engine.ask('lines/timings', question).catch((): LineTiming[] => []);
    if (timing && timing.steps > 0 && store.activeOpen?.key === profile.key) show(profile, perStep(timing));
  }
}

function perStep({allGpuWorkNs, allWallNs, steps}: LineTiming): string {
  return allGpuWorkNs > 0
    ? vscode.l10n.t('GPU work {0}/step', formatDuration(allGpuWorkNs / steps))
    : vscode.l10n.t('{0}/step, no GPU work', formatDuration(allWallNs / steps));
}
