import {mkdir, mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {delimiter, join, relative} from 'node:path';
import {parseProcessRecord, type ProcessRecord} from '../../core/prove/process-record.js';
import {runRecord, type RunRecord} from '../../core/prove/run-record.js';
import {wholeRun, type TimedPart} from '../../core/prove/timed-part.js';
import {runChild} from '../programs/run-child.js';
import {cleanWorktree, scratchFolder, type Worktree, type Worktrees} from './worktrees.js';

/** What a run of either side needs. */
export interface SideRequest {
  readonly worktrees: Worktrees;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the runner's packages. */
  readonly runner: string;
  /** The function whose result must be the same. */
  readonly same: {readonly module: string; readonly name: string} | null;
  /** When the worktrees were checked out, in ms since 1970. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
}

/**
 * A run whose work is inspected. Code for torch.compile runs uncompiled in a `look`; a `compiled look` compiles it, and
 * shows results, but neither operations nor calls of modules.
 */
export type Look = 'look' | 'compiled look';

const longestOutput = 16 << 20;
/** Only the end of standard error is kept. */
const longestComplaint = 500;
const longestRecord = 64 << 20;

/**
 * Runs the command at one commit in a process of its own. Its worktree is as checked out; its temporary folder and the
 * compilers' caches are empty.
 *
 * @param what the part that is timed, or how its work is inspected instead
 * @param folders whether the run finds them empty
 * @throws TraceError `launch/not-started`
 */
export async function runSide(
  request: SideRequest,
  side: Worktree,
  what: TimedPart | Look,
  folders: 'clean' | 'as the run before left it' = 'clean',
): Promise<RunRecord> {
  const {worktrees, command, signal} = request;
  const scratch = scratchFolder(worktrees);
  // What the run before left running may still write into its own folder.
  const records = await mkdtemp(join(worktrees.folder, 'records-'));
  if (folders === 'clean') {
    await rm(scratch, {recursive: true, force: true, maxRetries: 5});
    await mkdir(scratch);
    await cleanWorktree(side);
  }
  const env = environmentOf(request, side, {scratch, records}, what);
  const [program, ...args] = command;
  const printed = new Printed();
  let complaint = '';
  let pid: number | null = null;
  const began = process.hrtime.bigint();
  const status = await runChild(program, args, {
    cwd: join(side.folder, worktrees.subfolder),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    onStart: child => {
      pid = child.pid ?? null;
      child.stdout?.on('data', (data: Buffer) => {
        printed.add(data);
      });
      child.stderr?.on('data', (data: Buffer) => {
        complaint = (complaint + data.toString()).slice(-longestComplaint);
      });
    },
  });
  const wallNs = Number(process.hrtime.bigint() - began);
  const ownFolders = [records, scratch, side.folder];
  const complaintLine = complaint.trimEnd().split('\n').at(-1) ?? '';
  const told = await readRecords(records, side);
  await rm(records, {recursive: true, force: true}).catch(() => undefined);
  return runRecord({pid, status, wallNs, printed: printed.text(ownFolders), complaint: complaintLine}, told);
}

/** Returns the variables of a run, with those that tell it what to report. */
function environmentOf(
  {worktrees, runner, same, sinceMs, env}: SideRequest,
  side: Worktree,
  {scratch, records}: {readonly scratch: string; readonly records: string},
  what: TimedPart | Look,
): NodeJS.ProcessEnv {
  const isLook = typeof what === 'string';
  const {kind, warmup, steps} = isLook ? wholeRun : what;
  const asked = {
    ...{folder: records, detail: isLook, compiles: what === 'compiled look', kind: kind ?? '', warmup, steps},
    ...{since: sinceMs / 1000, own: [side.folder, scratch], checkout: worktrees.checkout},
    same: same && {...same, base: worktrees.base.folder, subfolder: worktrees.subfolder},
  };
  const pythonPath = [join(runner, 'boot'), env['PYTHONPATH']].filter(entry => entry);
  return {
    ...env,
    ...emptyCaches(env, scratch),
    PYTHONPATH: pythonPath.join(delimiter),
    PYTHONHASHSEED: env['PYTHONHASHSEED'] ?? '0',
    GPULENS_PROOF: JSON.stringify(asked),
  };
}

/** The kept part of the output. */
class Printed {
  private readonly parts: Buffer[] = [];
  private length = 0;

  add(data: Buffer): void {
    if (this.length < longestOutput) this.parts.push(data);
    this.length += data.length;
  }

  text(ownFolders: readonly string[]): string {
    let text = Buffer.concat(this.parts).toString();
    for (const folder of ownFolders) text = text.replaceAll(folder, '.');
    return text;
  }
}

/** Returns folders for what a run may leave to the next one. Models and data sets downloaded before stay where they are. */
function emptyCaches(env: NodeJS.ProcessEnv, scratch: string): NodeJS.ProcessEnv {
  const usual = env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? scratch, '.cache');
  const inScratch = [
    'TMPDIR',
    'TMP',
    'TEMP',
    'XDG_CACHE_HOME',
    'TORCHINDUCTOR_CACHE_DIR',
    'TRITON_CACHE_DIR',
    'NUMBA_CACHE_DIR',
  ];
  return {
    HF_HOME: env['HF_HOME'] ?? join(usual, 'huggingface'),
    TORCH_HOME: env['TORCH_HOME'] ?? join(usual, 'torch'),
    ...Object.fromEntries(inScratch.map(name => [name, scratch])),
  };
}

/** Files of the side's own worktree are named by their paths in it. */
async function readRecords(folder: string, side: Worktree): Promise<readonly ProcessRecord[]> {
  const records: ProcessRecord[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const record = text.length <= longestRecord ? parseProcessRecord(text) : null;
    if (!record) continue;
    const reads = record.surroundings.reads.map(path => relative(side.folder, path));
    records.push({...record, surroundings: {...record.surroundings, reads}});
  }
  return records;
}
