import type {CompiledGraphs} from '../core/questions/compiled-graphs.js';
import type {KernelSite, Sidecar} from '../core/source/sidecar.js';
import {fileStamp} from '../importers/files/file-identity.js';
import {readCompiledGraphs} from '../importers/compiled-graphs.js';
import {kernelSitesBeside} from '../launch/compiled/compile-debug.js';
import type {LoadedProfile} from './load-trace.js';

/**
 * Returns the lines of compiled kernels, if the runner or Inductor saved them.
 *
 * @param file the profile as the user named it: the sidecar of a report is beside the report, not beside its export
 * @param load reads the profile, which is used if there is no sidecar; null if that is not worth it
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
