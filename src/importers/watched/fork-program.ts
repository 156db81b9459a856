import {fork, type ChildProcess} from 'node:child_process';

/** What is kept of what a process said last. */
const keptErrorText = 4000;

/** A process of ours, and what it said last on standard error: nobody else reads that. */
export interface ForkedProgram {
  readonly child: ChildProcess;
  readonly said: () => string;
}

/**
 * Starts a bundle of ours as a process of its own, whose messages are copied as between threads.
 *
 * @param heapLimitMB what its JavaScript objects may take; Node's own limit where absent
 */
export function forkProgram(path: string, heapLimitMB?: number): ForkedProgram {
  const child = fork(path, [], {
    // Electron is Node only when it is told to be; a debugger's port belongs to the process that asks.
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
