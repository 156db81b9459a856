/** A path of a Python file, or `-m` with a module, as shell scripts write them. */
const started = /(?:^|[\s"'=])(?:-m[ \t]+([A-Za-z_][\w.]*)|([^\s"'=;|&()<>]+\.pyw?))(?=$|[\s"';|&)])/gm;

/**
 * Returns the Python files that a shell script names, each as the end of a path with slashes: `src/train.py` for
 * `python "$ROOT"/src/train.py` and for `torchrun -m src.train`. Comments do not count.
 */
export function startedScripts(text: string): string[] {
  const code = text.replace(/(^|\s)#.*$/gm, '$1').replace(/\r/g, '');
  const paths = [...code.matchAll(started)].map(([, module, path = '']) =>
    module === undefined ? path : `${module.replaceAll('.', '/')}.py`,
  );
  return [...new Set(paths.map(knownEnd))];
}

/** The part of a path that is known without running the script: what follows variables and dots. */
function knownEnd(path: string): string {
  const parts = path.split('/').filter(part => part !== '');
  const unknown = parts.findLastIndex(part => /^\.{1,2}$|[$`*?~{}]/.test(part));
  return parts.slice(unknown + 1).join('/');
}

/** Returns whether a file's path ends with one of the given ends. */
export function isStarted(path: string, ends: readonly string[]): boolean {
  const slashed = path.replaceAll('\\', '/');
  return ends.some(end => end !== '' && slashed.endsWith(`/${end}`));
}
