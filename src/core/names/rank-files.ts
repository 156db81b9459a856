const rankInName = /rank[ ._-]?(\d+)/i;

/** Returns the rank in a file's name, for jobs with one file per rank: "trace-rank-3.json"; null for none. */
export function rankInFileName(name: string): number | null {
  const match = rankInName.exec(name);
  return match ? Number(match[1]) : null;
}

/**
 * Returns each rank's file among the files in a folder: those whose names differ from `name` only by numbers. If a rank
 * has several, they are from several runs; then only those count whose names differ only by the rank.
 */
export function rankFiles(name: string, names: readonly string[]): Map<number, string> {
  const byRank = new Map<number, string[]>();
  for (const other of names) {
    const rank = rankInFileName(other);
    if (rank !== null && withoutNumbers(other) === withoutNumbers(name)) {
      byRank.set(rank, [...(byRank.get(rank) ?? []), other]);
    }
  }
  const files = new Map<number, string>();
  const areOfOneRun = [...byRank.values()].every(found => found.length === 1);
  for (const [rank, found] of byRank) {
    const file = areOfOneRun ? found[0] : found.find(other => withoutRank(other) === withoutRank(name));
    if (file !== undefined) files.set(rank, file);
  }
  return files;
}

function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '#');
}

function withoutRank(name: string): string {
  return name.replace(rankInName, 'rank');
}
