import {systemOfDevice} from '../../core/estimate/system-presets.js';
import {busFactor} from '../../core/figures/collective-bandwidth.js';
import {collectiveCalls, type CollectiveCall} from '../../core/figures/collective-calls.js';
import {linkInsideHost} from '../../core/job/group-link.js';
import {reportInput} from '../../core/figures/report-input.js';
import {wholeTrace} from '../../core/scope/report-scope.js';
import {orNull} from '../../core/table/or-null.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {Beside, TableRows} from './table-source.js';

/** Calls of collective operations, by start. @see collectiveCalls */
export function collectiveRows(trace: Trace, _texts: Texts, {details}: Pick<Beside, 'details'>): TableRows {
  const calls = collectiveCalls(reportInput({trace, details, scope: wholeTrace}));
  const measure = (value: (call: CollectiveCall) => number) => () => (row: number) => finiteOrNull(value(calls[row]));
  const names = new Map(trace.devices.map(({id, name}) => [id, name]));
  return {
    length: calls.length,
    columns: {
      operation: () => row => calls[row].operation,
      process_group: () => row => calls[row].group,
      ranks: measure(({groupSize}) => groupSize),
      bytes: measure(({bytes}) => bytes),
      data_type: () => row => calls[row].dataType,
      start_ns: measure(({startNs}) => startNs),
      end_ns: measure(({endNs}) => endNs),
      duration_ns: measure(({startNs, endNs}) => endNs - startNs),
      busy_ns: measure(({busyNs}) => busyNs),
      exposed_ns: measure(({exposedNs}) => exposedNs),
      kernels: measure(({kernels}) => kernels),
      device: () => row => orNull(calls[row].device),
      pid: () => row => trace.processes[calls[row].process]?.pid ?? null,
      bus_bytes_per_second: measure(busBytesPerSecond),
      link_bytes_per_second: measure(call => linkBytesPerSecond(call, names.get(call.device) ?? null)),
    },
  };
}

/** @see NCCL tests, doc/PERFORMANCE.md, "Bus bandwidth" */
function busBytesPerSecond({operation, bytes, groupSize, busyNs}: CollectiveCall): number {
  return ((bytes * busFactor(operation, groupSize)) / busyNs) * 1e9;
}

/**
 * Returns the bandwidth of one direction of the link on one host if a host has as many GPUs as the group, else the least
 * that several hosts have: the GPU's share of its host's adapters. NaN if the GPU, its link or the group is unknown.
 */
function linkBytesPerSecond({groupSize}: CollectiveCall, device: string | null): number {
  const system = systemOfDevice(device)?.system;
  if (device === null || Number.isNaN(groupSize)) return NaN;
  if (!system || groupSize <= system.nvlinkDomainSize) return linkInsideHost(device, groupSize)?.bytesPerSecond ?? NaN;
  return system.infinibandBytesPerSecond / system.nvlinkDomainSize;
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
