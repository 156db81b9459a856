import type {ElementAction} from '../reading/json-elements.js';

/** The path of a process: the file is a list of processes under the tool's name. */
const toolPath = '/rocprofiler-sdk-tool';
export const processPath = `${toolPath}/*`;

/** Lists of records by their keys in `buffer_records`, and what their records become. */
const recordLists = {
  kernel_dispatch: 'kernel',
  memory_copy: 'copy',
  hip_api: 'hip',
  hsa_api: 'hsa',
  marker_api: 'marker',
  rccl_api: 'library',
  rocdecode_api: 'library',
  rocjpeg_api: 'library',
} as const;
export type RecordSort = (typeof recordLists)[keyof typeof recordLists];

const within = (path: string) => `${processPath}${path}`;
export const metadataPath = within('/metadata');
export const agentPath = within('/agents/*');
export const namesPath = within('/strings/buffer_records/*');
export const markerTextPath = within('/strings/marker_api/*');
export const symbolPath = within('/kernel_symbols/*');
const recordsPath = within('/buffer_records');

const entered = new Set([
  '',
  toolPath,
  processPath,
  ...[agentPath, namesPath, markerTextPath, symbolPath].map(path => path.slice(0, -2)),
  within('/strings'),
  recordsPath,
]);
const taken = new Set([metadataPath, agentPath, namesPath, markerTextPath, symbolPath]);

/** Returns the key of the list of records at a path, or of the list that it is in; null for other paths. */
export function recordListOf(path: string): string | null {
  if (!path.startsWith(`${recordsPath}/`)) return null;
  const key = path.slice(recordsPath.length + 1);
  return key.endsWith('/*') ? key.slice(0, -2) : key;
}

/** Returns what the records of a list become; null for records that are not shown. */
export function sortOfList(list: string): RecordSort | null {
  return Object.hasOwn(recordLists, list) ? recordLists[list as keyof typeof recordLists] : null;
}

/**
 * Returns how to handle the value at a path. Lists of records that are not shown are entered too, so that they can be
 * counted.
 */
export function actionOf(path: string): ElementAction {
  if (taken.has(path)) return 'take';
  if (entered.has(path)) return 'enter';
  const list = recordListOf(path);
  if (list === null) return 'skip';
  if (!path.endsWith('/*')) return 'enter';
  return sortOfList(list) === null ? 'skip' : 'take';
}
