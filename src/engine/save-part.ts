import {exportedPart, isReadAgain} from '../importers/exported-part.js';
import {verifyUnchanged} from '../importers/files/file-identity.js';
import {writeWhole} from '../importers/files/write-whole.js';
import type {EngineRequests} from '../protocol/engine-messages.js';
import type {OpenProfiles} from './open-profiles.js';
import {stopIfCancelled} from './stop-if-cancelled.js';

/**
 * Writes a part of an open profile to a file, as `gpu-lens export` writes it.
 *
 * @returns what was left out
 * @throws TraceError `profile/not-open`, `selection/no-match`, `file/…`, `import/cancelled`
 */
export async function savePart(
  profiles: OpenProfiles,
  {profile, output, ...wanted}: EngineRequests['profile/save-part']['params'],
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<readonly string[]> {
  const {path, stamp} = profiles.file(profile);
  const trace = await profiles.trace(profile);
  await stopIfCancelled(signal);
  if (isReadAgain(trace, wanted)) await verifyUnchanged(path, stamp);
  let told = 0;
  const {parts, notes} = await exportedPart(path, trace, wanted, {
    signal,
    onProgress: ({bytes, totalBytes}) => {
      // A message costs both ends: one for each per cent.
      if (bytes < totalBytes * (told + 0.01)) return;
      told = bytes / totalBytes;
      onProgress(told);
    },
  });
  await stopIfCancelled(signal);
  await writeWhole(output, parts, signal);
  return notes;
}
