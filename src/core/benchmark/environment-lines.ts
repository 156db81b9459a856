import {formatCount} from '../format/count.js';
import type {EnvironmentValues, PointResult} from './point-result.js';

/** Returns the environment of a point as names and values for display: GPU first, then software, load and times. */
export function environmentLines({device, environment, startedAt, sleptNs}: PointResult): [string, string][] {
  const gpu = inner(environment['gpu']);
  const after = inner(environment['gpuAfter']);
  const clocks = [gpu['smMHz'], after['smMHz']].filter(clock => typeof clock === 'number');
  const lines: [string, EnvironmentValues[string] | undefined][] = [
    ['Device', device],
    ['GPU', gpu['name']],
    ['GPU memory', typeof gpu['bytes'] === 'number' ? `${formatCount(Math.round(gpu['bytes'] / 1e6))} MB` : null],
    ['Driver', gpu['driver']],
    [
      'SM clock, before and after',
      clocks.length > 0 ? `${clocks.join(' and ')} MHz of ${text(gpu['maxSmMHz'])}` : null,
    ],
    ['PyTorch', environment['torch']],
    ['CUDA', environment['cuda']],
    ['Python', environment['python']],
    ['Threads', environment['threads']],
    [
      'CPU',
      [environment['cpu'], environment['cores']]
        .map(text)
        .filter(part => part !== '')
        .join(', cores: '),
    ],
    ['Load before', typeof environment['load'] === 'number' ? environment['load'].toFixed(2) : null],
    ['System', environment['system']],
    ['Commit', environment['commit']],
    ['Slept during steps', sleptNs > 0 ? `${(sleptNs / 1e9).toFixed(1)} s` : null],
    ['Measured', startedAt],
  ];
  return lines.flatMap(([name, value]) => (text(value) === '' ? [] : [[name, text(value)]]));
}

function inner(value: EnvironmentValues[string] | undefined): EnvironmentValues {
  return typeof value === 'object' && value !== null ? value : {};
}

function text(value: EnvironmentValues[string] | undefined): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}
