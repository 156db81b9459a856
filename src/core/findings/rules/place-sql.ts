import {packages} from '../../source/python-packages.js';

/**
 * SQL for the line to which a finding leads: among the user's own Python functions around some slices, the one with
 * most of their time. Profiles without Python stacks have none.
 *
 * Kineto names a frame `file(line): function`, with the line on which the function begins.
 */
const isOwnFrame = (table: string): string => {
  const name = `${table}.name`;
  const path = `replace(${name}, '\\', '/')`;
  return `${table}.kind = 'python_function' AND ${name} LIKE '%.py(%' AND ${name} NOT LIKE '%/torch/%'
      AND ${name} NOT LIKE '%site-packages%' AND ${name} NOT LIKE '%dist-packages%' AND ${name} NOT LIKE '%/lib/python%'
      AND ${name} NOT LIKE '<%' AND substr(${path}, 1, instr(${path}, '/') - 1) NOT IN (${packageList})`;
};

/** PyTorch cuts the folder of a package off its frames' paths, so packages are recognised by name alone. */
const packageList = [...packages].map(name => `'${name}'`).join(', ');

const frame = (slices: string): string => `WITH RECURSIVE around AS (
  SELECT duration_ns, parent_id, 0 AS is_own, '' AS name FROM slices WHERE ${slices}
  UNION ALL
  SELECT a.duration_ns, s.parent_id, ${isOwnFrame('s')}, s.name
  FROM around AS a JOIN slices AS s ON s.id = a.parent_id WHERE NOT a.is_own
), place AS (
  SELECT name FROM around WHERE is_own GROUP BY name ORDER BY sum(duration_ns) DESC, name LIMIT 1
)`;

/** Returns the file of that function. @param slices the condition that the slices satisfy */
export const frameFile = (slices: string): string =>
  `${frame(slices)} SELECT substr(name, 1, instr(name, '.py(') + 2) FROM place`;

/** Returns the line of that function, from 1. */
export const frameLine = (slices: string): string =>
  `${frame(slices)} SELECT CAST(substr(name, instr(name, '.py(') + 4) AS INTEGER) FROM place`;

/** Returns the file of the user's own Python function that launched most of the time of some GPU operations. */
export const workFile = (operations: string): string => placeOfWork('python_file', operations);
/** Returns the line of the same function. */
export const workLine = (operations: string): string => placeOfWork('python_line', operations);

function placeOfWork(column: string, operations: string): string {
  return `SELECT ${column} FROM gpu_operations WHERE python_file IS NOT NULL AND (${operations})
GROUP BY python_file, python_line ORDER BY sum(duration_ns) DESC, python_file, python_line LIMIT 1`;
}
