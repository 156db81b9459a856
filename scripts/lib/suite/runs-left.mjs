// Which of the repeated runs are still to be made.

const plan = {quiet: 7, busy: 2, syncing: 1};

/** The conditions of runs. */
export const conditionNames = Object.keys(plan);

/**
 * Returns the condition of each run that the table of a page lacks. Runs count in a row, of whichever commits: after one
 * that failed, all of them are to be made again.
 */
export function runsLeft(page) {
  const rows = page
    .slice(page.indexOf('<!-- table: repeated -->'))
    .split('\n')
    .map(row => row.split('|').map(cell => cell.trim()))
    .filter(cells => conditionNames.includes(cells[3]));
  const passed = rows.slice(rows.findLastIndex(cells => !/\b0 failed\b/.test(cells[5])) + 1);
  return conditionNames.flatMap(name => {
    const count = passed.filter(cells => cells[3] === name).length;
    return Array.from({length: Math.max(0, plan[name] - count)}, () => name);
  });
}
