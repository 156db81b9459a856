/** Kineto's abbreviations for the direction of a copy, with nsys's words. */
const directions: ReadonlyMap<string, string> = new Map([
  ['HtoD', 'Host-to-Device'],
  ['DtoH', 'Device-to-Host'],
  ['DtoD', 'Device-to-Device'],
  ['HtoH', 'Host-to-Host'],
  ['PtoP', 'Peer-to-Peer'],
  ['HtoA', 'Host-to-Array'],
  ['AtoH', 'Array-to-Host'],
  ['AtoA', 'Array-to-Array'],
  ['AtoD', 'Array-to-Device'],
  ['DtoA', 'Device-to-Array'],
]);

/**
 * Returns a copy's or memset's name as in nsys's reports.
 *
 *     Memcpy HtoD (Pinned -> Device) → [CUDA memcpy Host-to-Device]        Memset (Device) → [CUDA memset]
 *
 * A name that is not one of Kineto's is unchanged.
 */
export function reportMemoryName(name: string): string {
  const copy = /^Memcpy (\w+)(?: \(.*\))?$/.exec(name);
  if (copy) return `[CUDA memcpy ${directions.get(copy[1]) ?? copy[1]}]`;
  return /^Memset(?: \(.*\))?$/.test(name) ? '[CUDA memset]' : name;
}

/**
 * Returns the memories in Kineto's name of a copy or memset: `(Pinned -> Device)`, `(Device)`. Null if the name has
 * none.
 */
export function memoriesOf(name: string): {readonly source: string; readonly target: string | null} | null {
  const memories = /^Mem(?:cpy \w+|set) \(([^()]*?)(?: -> ([^()]*))?\)$/.exec(name);
  return memories ? {source: memories[1], target: memories.at(2) ?? null} : null;
}
