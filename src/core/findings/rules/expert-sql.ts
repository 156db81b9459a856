/** Matrix products of experts, by modules, ranges and functions named after them. */
export const isExpert =
  "kind = 'kernel' AND class = 'matrix product' AND (module LIKE '%expert%' OR range_path LIKE '%expert%' OR python_function LIKE '%expert%')";

const path = "replace(CASE WHEN range_path LIKE '%expert%' THEN range_path ELSE module END, '.', '/')";

/**
 * `experts`: the time of each expert's products. An expert is a part of a path that begins with "expert" and has a
 * number, or "experts" with the following part: `mlp/expert 3`, `layers/0/experts/3/w1`. Layers are summed.
 */
export const expertTimes = `WITH paths AS (
  SELECT duration_ns, substr(path, instr(lower(path), 'expert')) || '//' AS rest FROM (SELECT duration_ns, ${path} AS path FROM gpu_operations WHERE ${isExpert})
), parts AS (
  SELECT duration_ns, substr(rest, 1, instr(rest, '/') - 1) AS first, substr(rest, instr(rest, '/') + 1) AS behind FROM paths
), named AS (
  SELECT duration_ns, CASE WHEN first GLOB '*[0-9]*' THEN first ELSE first || '/' || substr(behind, 1, instr(behind, '/') - 1) END AS name FROM parts
), experts AS (SELECT name, count(*) AS products, sum(duration_ns) AS ns FROM named WHERE name GLOB '*[0-9]*' GROUP BY name)`;
