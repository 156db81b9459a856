import {execFileSync} from 'node:child_process';

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly residentBytes: number;
  readonly command: string;
}

/** Returns all processes of this machine; none on Windows, which has no `ps`. */
export function runningProcesses(): RunningProcess[] {
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,args='], {encoding: 'utf8'}).trim().split('\n');
  return lines.map(line => {
    const [, pid, parent, kib, command = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return {pid: Number(pid), parent: Number(parent), residentBytes: Number(kib) * 1024, command};
  });
}

/** Returns the children of processes, their children, and so on. */
export function descendantsOf(
  parents: readonly RunningProcess[],
  all: readonly RunningProcess[],
): readonly RunningProcess[] {
  const children = all.filter(({parent}) => parents.some(({pid}) => pid === parent));
  return children.length === 0 ? [] : [...children, ...descendantsOf(children, all)];
}

/** Command lines of the processes of a VS Code server that belong to no window. */
const ofTheServer = /--type=(ptyHost|fileWatcher)\b/;

/**
 * Returns the processes of windows below the VS Code server with this user data folder: extension hosts, and all that
 * they started. Processes of terminals are listed separately, because VS Code keeps terminals when a window closes.
 */
export function processesOfWindows(userData: string): {ofWindows: RunningProcess[]; ofTerminals: RunningProcess[]} {
  const all = runningProcesses();
  const ofWindows: RunningProcess[] = [];
  const ofTerminals: RunningProcess[] = [];
  const visit = (parent: RunningProcess, found: RunningProcess[]) => {
    for (const child of all.filter(other => other.parent === parent.pid)) {
      const isTerminalHost = child.command.includes('--type=ptyHost');
      if (ofTheServer.test(child.command)) visit(child, isTerminalHost ? ofTerminals : found);
      else {
        found.push(child);
        visit(child, found);
      }
    }
  };
  // The server consists of two processes: the first restarts the second.
  const first = all.filter(({command}) => command.includes(`--user-data-dir ${userData} `));
  const second = all.filter(({parent}) => first.some(({pid}) => pid === parent));
  for (const server of second) visit(server, ofWindows);
  return {ofWindows, ofTerminals};
}
