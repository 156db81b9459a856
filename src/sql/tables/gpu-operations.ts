import {siteFlag, backwardUnmatched} from '../../core/attribution/credit.js';
import {plainNaming} from '../../core/attribution/name-fold.js';
import {groupByPath, pathText} from '../../core/attribution/range-groups.js';
import {buckets} from '../../core/attribution/site-chains.js';
import {memoriesOf} from '../../core/names/memory-operation-name.js';
import {shortKernelName} from '../../core/names/short-kernel-name.js';
import type {ReportDetails} from '../../core/figures/report-details.js';
import {operationOrigins} from '../../core/figures/operation-origins.js';
import {attributionOf} from '../../core/scope/attribution-of.js';
import {kernelClass} from '../../core/names/kernel-class.js';
import {orNull} from '../../core/table/or-null.js';
import {kindIndex, sliceKinds} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import {sliceColumns, type Beside, type SqlValue, type TableRows} from './table-source.js';

/** GPU operations with their launches. Attribution is computed only if a query needs it. */
export function gpuOperationRows(trace: Trace, texts: Texts, {details}: Pick<Beside, 'details'>): TableRows {
  const {slices, gpuOperations, processes} = trace;
  const {slice, device, stream, correlation, bytes, process} = gpuOperations;
  const sliceOf = (row: number) => slice[row];
  const isKernel = (row: number) => slices.kind[slice[row]] === kindIndex.kernel;
  const nameOf = (row: number) => slices.name[slice[row]];
  return {
    length: gpuOperations.length,
    columns: {
      ...sliceColumns(trace, texts, sliceOf),
      id: () => row => row,
      kind: () => row => sliceKinds[slices.kind[slice[row]]],
      short_name: () => {
        const short = perName(trace, text => texts.add(shortKernelName(text)));
        return row => (isKernel(row) ? short(nameOf(row)) : texts.ofTrace(nameOf(row)));
      },
      class: () => {
        const classOf = perName(trace, kernelClass);
        return row => (isKernel(row) ? classOf(nameOf(row)) : null);
      },
      device: () => row => orNull(device[row]),
      stream: () => row => orNull(stream[row]),
      pid: () => row => processes[process[row]]?.pid ?? null,
      correlation_id: () => row => orNull(correlation[row]),
      bytes: () => row => orNull(bytes[row]),
      ...memoryColumns(trace, details),
      ...launchColumns(trace, texts),
      ...rangeColumns(trace, texts),
      ...originColumns(trace, texts),
    },
  };
}

/** Returns a function of names that caches its results. */
function perName<T extends SqlValue>({strings}: Trace, compute: (text: string) => T): (name: number) => T {
  const known = new Map<number, T>();
  return name => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const value = compute(strings.get(name));
    known.set(name, value);
    return value;
  };
}

/** Kineto writes the kinds of memory into the name of a copy, nsys into separate columns. */
function memoryColumns(trace: Trace, {operations}: ReportDetails): TableRows['columns'] {
  const {slices, gpuOperations} = trace;
  const memory = (which: 'source' | 'target') => () => {
    const column = operations?.table[which === 'source' ? 'sourceMemory' : 'targetMemory'];
    const named = perName(trace, text => memoriesOf(text)?.[which] ?? null);
    return (row: number) => {
      const read = column?.[row] ?? -1;
      return read >= 0 && operations ? operations.strings.get(read) : named(slices.name[gpuOperations.slice[row]]);
    };
  };
  return {source_memory: memory('source'), target_memory: memory('target')};
}

function launchColumns(trace: Trace, texts: Texts): TableRows['columns'] {
  const {startNs, durationNs, name, track} = trace.slices;
  const ofLaunch = (value: (slice: number) => SqlValue) => () => {
    const {siteOf, slice} = attributionOf(trace).sites;
    return (row: number) => (siteOf[row] < 0 ? null : value(slice[siteOf[row]]));
  };
  return {
    launch_slice_id: ofLaunch(slice => slice),
    launch_name: ofLaunch(slice => texts.ofTrace(name[slice])),
    launch_start_ns: ofLaunch(slice => startNs[slice]),
    launch_end_ns: ofLaunch(slice => startNs[slice] + durationNs[slice]),
    launch_track_id: ofLaunch(slice => track[slice]),
  };
}

const [outsideBucket, noLaunchBucket, backwardBucket] = buckets;

function rangeColumns(trace: Trace, texts: Texts): TableRows['columns'] {
  const ofRange = (valueOf: () => (range: number) => SqlValue) => () => {
    const {sites, credit} = attributionOf(trace);
    const value = valueOf();
    return (row: number) => {
      const range = sites.siteOf[row] < 0 ? -1 : credit.range[sites.siteOf[row]];
      return range < 0 ? null : value(range);
    };
  };
  const flag = (bit: number) => () => {
    const {sites, credit} = attributionOf(trace);
    return (row: number) => (sites.siteOf[row] >= 0 && (credit.flags[sites.siteOf[row]] & bit) !== 0 ? 1 : 0);
  };
  return {
    range_id: ofRange(() => range => range),
    range_name: ofRange(() => {
      const {slice} = attributionOf(trace).ranges;
      return range => texts.ofTrace(trace.slices.name[slice[range]]);
    }),
    range_path: ofRange(() => rangePaths(trace, texts)),
    bucket: () => {
      const {sites, credit} = attributionOf(trace);
      return row => {
        const site = sites.siteOf[row];
        if (site < 0) return noLaunchBucket;
        if (credit.range[site] >= 0) return null;
        return credit.range[site] === backwardUnmatched ? backwardBucket : outsideBucket;
      };
    },
    is_backward: flag(siteFlag.backward),
    is_recompute: flag(siteFlag.recompute),
  };
}

/** Range → the number of its path's text. */
export function rangePaths(trace: Trace, texts: Texts): (range: number) => number | null {
  const naming = plainNaming(trace);
  const {groupOf, paths} = groupByPath(trace, attributionOf(trace).ranges);
  const numberOf = new Map<number, number | null>();
  return range => {
    const node = groupOf[range];
    let number = numberOf.get(node);
    if (number === undefined) numberOf.set(node, (number = texts.add(pathText(naming, paths, node))));
    return number;
  };
}

function originColumns(trace: Trace, texts: Texts): TableRows['columns'] {
  const {name} = trace.slices;
  let origins: ReturnType<typeof operationOrigins> | null = null;
  const slicesOf = (which: 'operator' | 'module' | 'frame') => (origins ??= operationOrigins(trace))[which];
  const named = (which: 'operator' | 'module' | 'frame') => () => {
    const slices = slicesOf(which);
    return (row: number) => (slices[row] < 0 ? null : texts.ofTrace(name[slices[row]]));
  };
  const ofFrame = (value: (frame: RegExpExecArray) => SqlValue) => () => {
    const frames = slicesOf('frame');
    const valueOf = perName(trace, text => {
      const frame = framePattern.exec(text);
      return frame === null ? null : value(frame);
    });
    return (row: number) => (frames[row] < 0 ? null : valueOf(name[frames[row]]));
  };
  return {
    operator_slice_id: () => {
      const slices = slicesOf('operator');
      return row => orNull(slices[row]);
    },
    operator: named('operator'),
    module: named('module'),
    python_function: ofFrame(frame => texts.add(frame[3])),
    python_file: ofFrame(frame => texts.add(frame[1])),
    python_line: ofFrame(frame => Number(frame[2])),
  };
}

/** `path/file.py(12): name`, as PyTorch's profiler writes frames. */
const framePattern = /^(.*)\((\d+)\): (.*)$/;
