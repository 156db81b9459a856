import {execFile} from 'node:child_process';
import {basename, dirname} from 'node:path';

/** A file whose earlier text is wanted. */
export interface PastFile {
  /** Path of the git program. */
  readonly git: string;
  /** Absolute path of the file. */
  readonly path: string;
  readonly signal?: AbortSignal;
}

const limitMs = 10_000;
/** A longer text is not a source that people edit. */
const longestBytes = 4 << 20;
const objectName = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Returns the text of a blob by its object name; null if git does not have it. */
export async function textOfBlob(file: PastFile, blob: string): Promise<string | null> {
  return objectName.test(blob) ? ask(file, ['cat-file', 'blob', blob]) : null;
}

/** Returns the file's text at a commit; null if git has no such commit, or the commit has no such file. */
export async function textAtCommit(file: PastFile, commit: string): Promise<string | null> {
  return objectName.test(commit) ? ask(file, ['cat-file', 'blob', `${commit}:./${basename(file.path)}`]) : null;
}

/** Returns the last commit before a time that changed the file; null if there is none. @param beforeMs since 1970 */
export async function lastCommitBefore(file: PastFile, beforeMs: number): Promise<string | null> {
  const seconds = Math.floor(beforeMs / 1000);
  const args = ['rev-list', '-1', `--before=${String(seconds)}`, 'HEAD', '--', `./${basename(file.path)}`];
  const commit = (await ask(file, args))?.trim() ?? '';
  return objectName.test(commit) ? commit : null;
}

/**
 * Returns git's output, null if it fails. Git runs in the file's folder without a shell. These commands only read
 * objects: they run no filters or hooks of the repository, and fetch nothing.
 */
function ask({git, path, signal}: PastFile, args: readonly string[]): Promise<string | null> {
  const env = {...process.env, GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0'};
  const options = {
    cwd: dirname(path),
    env,
    timeout: limitMs,
    maxBuffer: longestBytes,
    windowsHide: true,
    ...(signal && {signal}),
  };
  return new Promise(resolve => {
    execFile(git, [...args], options, (error, stdout) => {
      resolve(error ? null : stdout);
    });
  });
}
