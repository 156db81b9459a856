import {systemOfDevice} from '../../core/estimate/system-presets.js';
import type {System} from '../../core/estimate/system.js';
import {busFactor} from '../../core/figures/collective-bandwidth.js';
import {collectiveCalls, type CollectiveCall} from '../../core/figures/collective-calls.js';
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
  const systems = new Map(trace.devices.map(({id, name}) => [id, systemOfDevice(name)?.system]));
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
      link_bytes_per_second: measure(call => linkBytesPerSecond(call, systems.get(call.device))),
    },
  };
}

/** @see NCCL tests, doc/PERFORMANCE.md, "Bus bandwidth" */
function busBytesPerSecond({operation, bytes, groupSize, busyNs}: CollectiveCall): number {
  return ((bytes * busFactor(operation, groupSize)) / busyNs) * 1e9;
}

/**
 * Returns the bandwidth of one direction of NVLink if the group fits into an NVLink domain, else the GPU's share of its
 * node's adapters; NaN if the GPU or the group is unknown.
 */
function linkBytesPerSecond({groupSize}: CollectiveCall, system: System | undefined): number {
  if (!system || Number.isNaN(groupSize)) return NaN;
  const {nvlinkBytesPerSecond, nvlinkDomainSize, infinibandBytesPerSecond} = system;
  return groupSize <= nvlinkDomainSize ? nvlinkBytesPerSecond / 2 : infinibandBytesPerSecond / nvlinkDomainSize;
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);
