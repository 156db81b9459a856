import * as vscode from 'vscode';
import {defaultUnpackedGB} from '../core/unpacked-limit.js';

/** The only reader of GPU Lens's settings. */
export interface Settings {
  /** Profile that is opened at start, null for none. */
  readonly profile: string | null;
  readonly python: string | null;
  readonly nsys: string | null;
  /** GB that a compressed profile may unpack to. */
  readonly maximumUnpackedGB: number;
  readonly codeLensEnabled: boolean;
  readonly warmupSteps: number;
  readonly activeSteps: number;
  readonly recordsShapes: boolean;
  readonly recordsStacks: boolean;
  readonly recordsMemory: boolean;
}

export const section = 'gpuLens';

/** The settings as they are now. Settings of a workspace's files may hold anything, so types are checked. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(section, scope);
  const text = (key: string) => {
    const value = configuration.get<unknown>(key);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const flag = (key: string, otherwise: boolean) => {
    const value = configuration.get<unknown>(key);
    return typeof value === 'boolean' ? value : otherwise;
  };
  const count = (key: string, otherwise: number) => {
    const value = configuration.get<unknown>(key);
    return Number.isSafeInteger(value) && (value as number) >= 1 ? (value as number) : otherwise;
  };
  return {
    profile: text('profile'),
    python: text('python'),
    nsys: text('nsys'),
    maximumUnpackedGB: count('maximumUnpackedGB', defaultUnpackedGB),
    codeLensEnabled: flag('codeLens.enabled', true),
    warmupSteps: count('run.warmupSteps', 2),
    activeSteps: count('run.activeSteps', 3),
    recordsShapes: flag('run.recordShapes', true),
    recordsStacks: flag('run.recordStacks', false),
    recordsMemory: flag('run.recordMemory', false),
  };
}
