import {fork, type ChildProcess} from 'node:child_process';

/** How many characters of a process's last output are kept. */
const keptErrorText = 4000;

/** A child process, and its last output on standard error, which nobody else reads. */
export interface ForkedProgram {
  readonly child: ChildProcess;
  readonly said: () => string;
}

/**
 * Starts one of our bundles as a child process, which is told our id (watch-process.ts); messages are copied as between
 * threads.
 *
 * @param heapLimitMB limit of its JavaScript heap; Node's own limit if absent
 */
export function forkProgram(path: string, heapLimitMB?: number): ForkedProgram {
  const child = fork(path, [String(process.pid)], {
    // Electron acts as Node only with this variable; a debugger's port belongs to the parent process.
    env: {...process.env, ELECTRON_RUN_AS_NODE: '1'},
    execArgv: heapLimitMB === undefined ? [] : [`--max-old-space-size=${String(heapLimitMB)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (part: Buffer) => {
    said = `${said}${part.toString('utf8')}`.slice(-keptErrorText);
  });
  return {child, said: () => said};
}
