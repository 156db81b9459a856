import {say} from '../base/say.js';
import type {TraceInfo} from '../questions/info.js';
import type {Sidecar} from '../source/sidecar.js';

/** The origin of a profile. */
export interface Provenance {
  readonly name: string;
  readonly info: Pick<TraceInfo, 'profiler' | 'version' | 'devices'>;
  readonly sidecar: Pick<Sidecar, 'torch' | 'python' | 'gitCommit' | 'recordedAt'> | null;
  /** When its file was written, ms since 1970; NaN if unknown. */
  readonly writtenMs: number;
}

/**
 * Returns the origin of the figures, one fact after the other:
 *
 *     train.pt.trace.json.gz · PyTorch profiler · torch 2.13.0, Python 3.11.7 · NVIDIA H100 · commit 1a2b3c4d · 2026-11-21 20:15 UTC
 */
export function provenanceText({name, info, sidecar, writtenMs}: Provenance): string {
  const programs = [
    sidecar?.torch ? `torch ${sidecar.torch}` : '',
    sidecar?.python ? `Python ${sidecar.python}` : '',
  ].filter(text => text !== '');
  const devices = info.devices.map(({id, name: device}) => device ?? `GPU ${String(id)}`);
  const atMs = sidecar?.recordedAt ? Date.parse(sidecar.recordedAt) : writtenMs;
  return [
    name,
    info.version === null ? info.profiler : `${info.profiler} ${info.version}`,
    programs.join(', '),
    devices.length === 0 ? say('no GPU') : [...new Set(devices)].join(', '),
    sidecar?.gitCommit ? `commit ${sidecar.gitCommit.slice(0, 8)}` : '',
    Number.isNaN(atMs) ? '' : `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ]
    .filter(text => text !== '')
    .join(' · ');
}
