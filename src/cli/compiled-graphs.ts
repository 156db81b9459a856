import type {CompiledGraphs} from '../core/questions/compiled-graphs.js';
import type {KernelSite, Sidecar} from '../core/source/sidecar.js';
import {fileStamp} from '../importers/files/file-identity.js';
import {readCompiledGraphs} from '../importers/compiled-graphs.js';
import {kernelSitesBeside} from '../launch/compiled/compile-debug.js';
import type {LoadedProfile} from './load-trace.js';

/**
 * The lines of compiled kernels, where the runner or Inductor noted them.
 *
 * @param file the profile as the user named it: what was noted of a report lies beside it, not beside its export
 * @param load the profile itself, which is asked where nothing lies beside it; null where it is not worth it
 * @throws TraceError `file/…`
 */
export async function kernelSitesOfProfile(
  file: string,
  sidecar: Sidecar | null,
  load: () => Promise<LoadedProfile | null>,
): Promise<readonly KernelSite[]> {
  return kernelSitesBeside(file, sidecar, async () => {
    const profile = await load();
    return profile && graphsOf(profile);
  });
}

async function graphsOf({path, trace}: LoadedProfile): Promise<CompiledGraphs | null> {
  const file = {path, stamp: await fileStamp(path), life: new AbortController().signal};
  return readCompiledGraphs(file, trace);
}
