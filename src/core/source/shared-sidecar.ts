import type {Sidecar} from './sidecar.js';

/**
 * Returns the text of a sidecar to share together with some of its files: their sites, modules, kernels and lines, and
 * what was recorded. It omits the commit, the time of the recording, and all other files.
 *
 * @param isShared returns whether a file, as the sidecar writes its path, is shared
 * @see docs/formats.md#the-runners-files
 */
export function sharedSidecar(sidecar: Sidecar, isShared: (file: string) => boolean): string {
  const {kind, why, steps, torch, python, script} = sidecar;
  const shared = <Entry extends {readonly file: string}>(entries: readonly Entry[]) =>
    entries.filter(({file}) => isShared(file));
  const modules = sidecar.modules.map(module => {
    if (module.file === undefined || isShared(module.file)) return module;
    const {name, class: className} = module;
    return {name, class: className};
  });
  return JSON.stringify({
    ...{version: 1, kind, why, steps, torch, python, script: script !== null && isShared(script) ? script : null},
    sites: shared(sidecar.sites),
    modules,
    compiledKernels: shared(sidecar.kernels),
    compiledCalls: shared(sidecar.compiledCalls),
    lines: shared(sidecar.lines),
    files: shared(sidecar.files),
  });
}
