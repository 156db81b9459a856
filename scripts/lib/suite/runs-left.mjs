// Which of the repeated runs a commit still lacks.

const plan = {quiet: 7, busy: 2, syncing: 1};

/** The conditions of runs. */
export const conditionNames = Object.keys(plan);

/** The condition of each run that the table of a page does not have for a commit. */
export function runsLeft(page, commit) {
  const rows = page.slice(page.indexOf('<!-- table: repeated -->')).split('\n');
  const done = rows.map(row => row.split('|').map(cell => cell.trim())).filter(cells => cells[2] === commit);
  return conditionNames.flatMap(name => {
    const count = done.filter(cells => cells[3] === name).length;
    return Array.from({length: Math.max(0, plan[name] - count)}, () => name);
  });
}
