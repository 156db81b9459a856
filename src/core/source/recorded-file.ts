/**
 * Which of the recorded paths means a file; null where none does. A path whose place here is known means that place
 * alone; of the others, which a runner wrote from another folder, the one that shares the longest end: `utils.py` is
 * not `data/utils.py` where both were recorded.
 *
 * @param path with "/" or "\"
 * @param placeOf where a relative path lies here, in the spelling of `path`; null where no such file is known. Asked of
 * paths that can mean the file alone: it may look at the disk
 */
export function recordedFileOf(
  path: string,
  recorded: Iterable<string>,
  placeOf: (recorded: string) => string | null = () => null,
): string | null {
  let best: string | null = null;
  for (const file of recorded) {
    if (!isSameFile(path, file)) continue;
    const place = placeOf(file);
    if (place !== null && isSameFile(path, place)) return file;
    if (place === null && file.length > (best?.length ?? -1)) best = file;
  }
  return best;
}

/** Whether a path, absolute or relative to a workspace, can mean this file. */
export function isSameFile(path: string, recorded: string): boolean {
  const here = path.replaceAll('\\', '/');
  const there = recorded.replaceAll('\\', '/');
  return here === there || here.endsWith(`/${there}`);
}
