import * as vscode from 'vscode';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {NamePattern} from '../../core/names/name-pattern.js';
import type {Annotations, LineAnnotation} from '../annotations/annotations.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import type {ActiveProfile, GpuLensApi, GpuLensExports, LineFigures} from './gpu-lens-api.js';

interface Services {
  readonly store: Pick<ProfileStore, 'activeOpen' | 'onDidChange'>;
  readonly annotations: Pick<Annotations, 'of'>;
  readonly openProfile: (path: string) => Promise<boolean>;
  readonly showRange: (patterns: readonly NamePattern[]) => Promise<void>;
}

/** Creates the API for other extensions: the figures that the editor shows, and two of its commands. */
export function createApi({store, annotations, openProfile, showRange}: Services): {
  readonly exports: GpuLensExports;
  readonly disposable: vscode.Disposable;
} {
  const changed = new vscode.EventEmitter<ActiveProfile | null>();
  let shownKey = store.activeOpen?.key ?? null;
  const listener = store.onDidChange(() => {
    const key = store.activeOpen?.key ?? null;
    if (key === shownKey) return;
    shownKey = key;
    changed.fire(activeProfile());
  });
  const api: GpuLensApi = {
    version: 1,
    get activeProfile() {
      return activeProfile();
    },
    onDidChangeActiveProfile: changed.event,
    open: file => openProfile(file.fsPath),
    figuresOfLine: async (file, line) => {
      const annotation = await annotationAt(file, line);
      return annotation ? figuresOf(annotation) : null;
    },
    reveal: async (file, line) => {
      const annotation = await annotationAt(file, line);
      if (!annotation || annotation.timing.count === 0) return false;
      await showRange(annotation.patterns);
      return true;
    },
  };
  return {
    exports: {
      getApi: (version: number) => {
        if (version === api.version) return api;
        throw new Error(`GPU Lens has version ${String(api.version)} of its API, not ${String(version)}.`);
      },
    },
    disposable: vscode.Disposable.from(listener, changed),
  };

  function activeProfile(): ActiveProfile | null {
    const profile = store.activeOpen;
    return profile && {uri: vscode.Uri.file(profile.path), name: profile.name};
  }

  async function annotationAt(file: vscode.Uri, line: number): Promise<LineAnnotation | undefined> {
    const lines = await annotations.of(await vscode.workspace.openTextDocument(file));
    return lines.find(({tag}) => tag.line === line + 1);
  }
}

function figuresOf({timing, isStale}: LineAnnotation): LineFigures {
  const {steps, names, count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, operations} = timing;
  return {
    of: scopeOf(timing),
    steps,
    names: names.map(({name}) => name),
    ...{count, cpuWallNs, gpuWorkNs, backwardGpuWorkNs, operations, isStale},
  };
}

function scopeOf({of}: LineTiming): LineFigures['of'] {
  return typeof of === 'object' ? 'window' : of === 'steps' ? 'steps' : 'profile';
}
