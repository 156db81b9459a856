import {TraceError} from '../../core/base/errors.js';
import {isEnough, lookNumber, pairedChange, type PairedChange} from '../../core/prove/paired-changes.js';
import {concludeProof, type Measured, type Proof} from '../../core/prove/proof.js';
import {difference, type Reason} from '../../core/prove/reason.js';
import type {RunRecord} from '../../core/prove/run-record.js';
import {compareSurroundings, keptResults} from '../../core/prove/same-surroundings.js';
import {compareValues} from '../../core/prove/same-values.js';
import {compareWorkKinds} from '../../core/prove/same-work.js';
import {timedNs, timedPart, timedRuns, wholeRun, type TimedPart} from '../../core/prove/timed-part.js';
import {runSide, type Look, type SideRequest} from './run-side.js';
import {addedFiles, leftFiles, withWorktrees} from './worktrees.js';

/** What to prove. */
export interface ProofRequest {
  readonly base: string;
  readonly changed: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** The folder in the repository in which the command runs. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly same: {readonly module: string; readonly name: string} | null;
  /** The largest difference allowed between that function's numbers, as a fraction of the largest. */
  readonly tolerance: number;
  readonly budgetMs: number;
}

/** What a proof needs from its caller. */
export interface ProofSurroundings {
  readonly runner: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/**
 * Runs a command at two commits in turn, and returns whether the change is faster at the same work.
 *
 * @throws TraceError `prove/…`, also if the command fails at the base; `launch/not-started`
 */
export async function prove(request: ProofRequest, {runner, signal, onProgress}: ProofSurroundings): Promise<Proof> {
  const budget = AbortSignal.timeout(request.budgetMs);
  return withWorktrees(request.cwd, request.base, request.changed, async worktrees => {
    const side: SideRequest = {
      worktrees,
      command: request.command,
      env: request.env,
      runner,
      same: request.same,
      // The files of both commits are older.
      sinceMs: Date.now(),
      signal: AbortSignal.any([signal, budget]),
    };
    const race = new Race(side, request, budget, onProgress);
    const proof = await race.run();
    if (signal.aborted) throw new TraceError('prove/cancelled', 'The proof was ended before it was complete.');
    return proof;
  });
}

/** The runs of one proof. */
class Race {
  private readonly baseRuns: RunRecord[] = [];
  private readonly changedRuns: RunRecord[] = [];

  constructor(
    private readonly side: SideRequest,
    private readonly request: ProofRequest,
    private readonly budget: AbortSignal,
    private readonly onProgress: (text: string) => void,
  ) {}

  /** Compares the work of both first: if it differs, there is nothing to time. */
  async run(): Promise<Proof> {
    this.onProgress('looking at the work of BASE');
    const base = await this.look('base');
    if (this.isOver()) return this.overBeforeTimes();
    if (base.status !== 0) throw failedAtBase(base);
    this.onProgress('looking at the work of CHANGED');
    const changed = await this.look('changed');
    if (this.isOver()) return this.overBeforeTimes();
    if (changed.status !== 0) return concludeProof([failedAtChanged(changed)], null);
    const kept = await this.kept();
    if (this.isOver()) return this.overBeforeTimes();
    const reasons = await this.compare(base, changed);
    if (!reasons) return this.overBeforeTimes();
    if (isOtherWork(reasons) || kept) return concludeProof([...(kept ? [kept] : []), ...reasons], null);
    const part = timedPart(base.work, changed.work);
    const {change, reasons: more} = await this.time(part);
    const all = [...reasons, ...more, ...(await this.surroundings([base], [changed]))];
    return concludeProof(unique(all), this.measured(part, change));
  }

  private isOver(): boolean {
    return this.side.signal.aborted;
  }

  private overBeforeTimes(): Proof {
    return concludeProof([], this.measured(wholeRun, null));
  }

  private measured(part: TimedPart, change: PairedChange | null): Measured {
    const [base, changed] = [this.baseRuns, this.changedRuns];
    const isBudgetSpent = this.budget.aborted;
    return {part, change, base, changed, isBudgetSpent};
  }

  private look(which: 'base' | 'changed', look: Look = 'look'): Promise<RunRecord> {
    return runSide(this.side, this.side.worktrees[which], look);
  }

  /**
   * Returns a reason if CHANGED, run again, reads files that its first run left, and BASE does not: then it gains only
   * from the second run on. Called directly after the look at CHANGED.
   */
  private async kept(): Promise<Reason | null> {
    const changed = await this.readsOfLeftFiles('changed');
    if (changed.length === 0) return null;
    await this.look('base');
    return keptResults(await this.readsOfLeftFiles('base'), changed);
  }

  /** Returns the files that the previous run left in its folders and the same run reads now; none if it left none. */
  private async readsOfLeftFiles(which: 'base' | 'changed'): Promise<readonly string[]> {
    const {worktrees} = this.side;
    const left = new Set(await leftFiles(worktrees, worktrees[which]));
    if (left.size === 0 || this.isOver()) return [];
    this.onProgress(`looking at what ${which.toUpperCase()} reads of its run before`);
    const {surroundings} = await runSide(this.side, worktrees[which], 'look', 'as the run before left it');
    return surroundings.reads.filter(path => left.has(path));
  }

  /** Returns null if the budget is spent before. */
  private async compare(base: RunRecord, changed: RunRecord): Promise<readonly Reason[] | null> {
    const isCompiled = base.work?.compiles === true || changed.work?.compiles === true;
    const values = isCompiled ? await this.compareCompiledResults() : await this.compareResults(base, changed, 'look');
    if (!values || this.isOver()) return null;
    const kinds =
      base.work && changed.work ? compareWorkKinds(base.work, changed.work, values.weight === 'evidence') : [];
    const reasons = [...kinds, values];
    return isOtherWork(reasons) ? [...reasons, ...(await this.surroundings([base], [changed]))] : reasons;
  }

  /** Compares the results of compiled code, which both looks ran uncompiled. Returns null if the budget is spent before. */
  private async compareCompiledResults(): Promise<Reason | null> {
    this.onProgress('looking at the compiled work of BASE');
    const base = await this.look('base', 'compiled look');
    if (this.isOver()) return null;
    if (base.status !== 0) throw failedAtBase(base);
    this.onProgress('looking at the compiled work of CHANGED');
    const changed = await this.look('changed', 'compiled look');
    if (this.isOver()) return null;
    return changed.status === 0 ? this.compareResults(base, changed, 'compiled look') : failedAtChanged(changed);
  }

  private async compareResults(base: RunRecord, changed: RunRecord, look: Look): Promise<Reason> {
    const {tolerance} = this.request;
    const values = compareValues(base, changed, null, tolerance);
    if (values.weight === 'evidence' || values.code !== 'outputs' || base.same) return values;
    // A difference between two runs of the base is not caused by the change.
    this.onProgress('looking at the work of BASE again');
    return compareValues(base, changed, await this.look('base', look), tolerance);
  }

  private async surroundings(base: readonly RunRecord[], changed: readonly RunRecord[]): Promise<readonly Reason[]> {
    const of = (runs: readonly RunRecord[]) => runs.map(run => run.surroundings);
    return compareSurroundings({
      base: of([...base, ...this.baseRuns]),
      changed: of([...changed, ...this.changedRuns]),
      addedFiles: await addedFiles(this.side.worktrees),
    });
  }

  /** Runs A B, B A, A B …, so that a drift of the machine affects both alike. */
  private async time(part: TimedPart): Promise<{change: PairedChange | null; reasons: readonly Reason[]}> {
    let change: PairedChange | null = null;
    for (let pairs = 1; ; pairs++) {
      const order = pairs % 2 === 1 ? (['base', 'changed'] as const) : (['changed', 'base'] as const);
      for (const which of order) {
        this.onProgress(`pair ${String(pairs)}: timing ${which.toUpperCase()}`);
        const reason = await this.timeOne(part, which);
        if (reason) return {change, reasons: [reason]};
        if (this.isOver()) return {change, reasons: []};
      }
      const look = lookNumber(pairs);
      if (look === null) continue;
      const {base, changed} = timedRuns(part, this.baseRuns, this.changedRuns);
      change = pairedChange(base.ns, changed.ns, look);
      if (change && isEnough(change, pairs)) return {change, reasons: []};
    }
  }

  /** Returns a reason if the run differs from what the look at its work showed. */
  private async timeOne(part: TimedPart, which: 'base' | 'changed'): Promise<Reason | null> {
    const run = await runSide(this.side, this.side.worktrees[which], part);
    if (this.isOver()) return null;
    if (run.status !== 0) {
      if (which === 'base') throw failedAtBase(run);
      return failedAtChanged(run);
    }
    if (timedNs(part, run) === null) {
      return difference('steps', `A run of ${which.toUpperCase()} took another number of steps than the one before.`);
    }
    (which === 'base' ? this.baseRuns : this.changedRuns).push(run);
    return null;
  }
}

function failedAtBase({status, complaint}: RunRecord): TraceError {
  return new TraceError(
    'prove/failed',
    `The command failed at BASE with status ${String(status)}${saying(complaint)}. It runs in a folder that has only what is committed.`,
  );
}

function failedAtChanged({status, complaint}: RunRecord): Reason {
  return difference('failed', `The command failed at CHANGED with status ${String(status)}${saying(complaint)}.`);
}

function saying(complaint: string): string {
  return complaint === '' ? '' : ` (${complaint})`;
}

function isOtherWork(reasons: readonly Reason[]): boolean {
  return reasons.some(({weight}) => weight === 'difference');
}

function unique(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter((reason, at) => reasons.findIndex(({text}) => text === reason.text) === at);
}
