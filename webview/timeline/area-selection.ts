import type {TimelineRow, TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {WindowSelection} from '../../src/core/questions/window-summary.js';
import type {Area} from './timeline-state.js';

/**
 * Returns the request for a marked area: its window, and the GPU or stream if the area covers only rows of one. Any
 * other area stands for everything in its window.
 *
 * @param rows all of the profile, so that an area keeps its meaning while its rows are hidden
 */
export function areaSelection({rows}: Pick<TimelineRows, 'rows'>, area: Area): WindowSelection {
  const {fromNs, toNs} = area;
  const window = {fromNs, toNs};
  const marked = new Set(area.rows);
  const touched = rows.filter(({kind, key}) => kind !== 'group' && marked.has(key));
  const devices = new Set(touched.map(deviceOf));
  const [device = -1] = devices;
  if (devices.size !== 1 || device < 0) return window;
  const streams = new Set(touched.map(row => (row.kind === 'track' ? row.track.stream : -1)));
  const [stream = -1] = streams;
  return streams.size === 1 && stream >= 0 ? {...window, device, stream} : {...window, device};
}

function deviceOf(row: TimelineRow): number {
  return row.kind === 'track' || row.kind === 'instants' ? row.track.device : -1;
}

/** Returns the options of the command line for the same request. */
export function commandLineOptions({fromNs, toNs, device, stream}: WindowSelection): string {
  const options = [`--from ${String(fromNs)}`, `--to ${String(toNs)}`];
  if (device !== undefined) options.push(`--device ${String(device)}`);
  if (stream !== undefined) options.push(`--stream ${String(stream)}`);
  return options.join(' ');
}
