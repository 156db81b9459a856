import type {Surroundings} from './process-record.js';
import {difference, doubt, type Reason} from './reason.js';

/** Facts about the files of both commits, and about all of their runs. */
export interface ProofSurroundings {
  readonly base: readonly Surroundings[];
  readonly changed: readonly Surroundings[];
  /** Absolute paths, in CHANGED's worktree, of files that are not in BASE. */
  readonly addedFiles: readonly string[];
}

/** Texts that are settings or code, and can hardly contain results. */
const sourceFile = /\.(?:py|pyi|pyx|toml|ya?ml|cfg|ini|cu|cuh|c|cc|cpp|h|hpp|md|sh)$/i;

/** Returns reasons against a fair comparison: results left by an earlier run, profilers, code of another checkout. */
export function compareSurroundings({base, changed, addedFiles}: ProofSurroundings): readonly Reason[] {
  const all = [...base, ...changed];
  const left = all.flatMap(({leftReads}) => leftReads);
  const baseReads = new Set(base.flatMap(({outerReads}) => outerReads));
  const ownReads = changed.flatMap(({outerReads}) => outerReads).filter(path => !baseReads.has(path));
  const added = new Set(addedFiles.filter(path => !sourceFile.test(path)));
  const stored = changed.flatMap(({reads}) => reads).filter(path => added.has(path));
  const profilers = all.flatMap(one => one.profilers);
  const foreign = all.flatMap(({foreignCode}) => foreignCode);
  return [
    left.length > 0 ? difference('cached', `A run read what an earlier run had left: ${named(left)}.`) : null,
    left.length === 0 && ownReads.length > 0
      ? doubt('cached', `Only CHANGED reads ${named(ownReads)}: results of earlier runs may be stored there.`)
      : null,
    stored.length > 0
      ? doubt('stored-results', `CHANGED brings and reads ${named(stored)}: results may be stored there.`)
      : null,
    profilers.length > 0 ? doubt('profiler', `A profiler was on during the runs: ${named(profilers)}.`) : null,
    foreign.length > 0
      ? doubt(
          'other-code',
          `Code outside of the two worktrees ran: ${named(foreign)}. Both runs may have run the same.`,
        )
      : null,
  ].filter(reason => reason !== null);
}

/**
 * Returns a doubt if CHANGED reads files that its previous run left in its folders, and BASE does not read the same.
 *
 * @param base paths of such files at BASE
 * @param changed paths of such files at CHANGED
 */
export function keptResults(base: readonly string[], changed: readonly string[]): Reason | null {
  const own = changed.filter(path => !base.includes(path));
  if (own.length === 0) return null;
  return doubt(
    'cached',
    `Run again, CHANGED reads what its run before has left: ${named(own)}. A first run gains nothing by that.`,
  );
}

const mostNamed = 3;

function named(items: readonly string[]): string {
  const different = [...new Set(items)];
  const more = different.length - mostNamed;
  return `${different.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
