import type {GpuProgram} from '../../support/gpu-program.js';
import {busy} from '../../support/made-findings.js';
import {casesOf, type MadeCase} from './made-case.js';

const copies = (name: string, gpu: number, call?: string) => (program: GpuProgram) => {
  for (let at = 0; at < 5; at++)
    busy(program).launch({name, gpu, bytes: gpu * 10_000, ...(call !== undefined && {call})});
};
const [toGpu, toCpu] = ['Memcpy HtoD (Pinned -> Device)', 'Memcpy DtoH (Device -> Pinned)'];
const peer = 'Memcpy PtoP (Device -> Device)';

/** Simulated programs for the rules about copies. */
export const copyCases: readonly MadeCase[] = [
  ...casesOf(
    'copies/synchronous',
    {
      'to the GPU by cudaMemcpy': copies(toGpu, 200, 'cudaMemcpy'),
      'to the CPU by cudaMemcpy': copies(toCpu, 100, 'cudaMemcpy'),
      'of HIP': copies('Memcpy HtoD (Host -> Device)', 300, 'hipMemcpyWithStream'),
    },
    {
      'by cudaMemcpyAsync': copies(toGpu, 200),
      'of pageable memory, which another rule finds': copies('Memcpy HtoD (Pageable -> Device)', 200, 'cudaMemcpy'),
      'inside the GPU': copies('Memcpy DtoD (Device -> Device)', 200, 'cudaMemcpy'),
      'a hundredth of the time': copies(toGpu, 10, 'cudaMemcpy'),
    },
  ),
  ...casesOf(
    'copies/peer',
    {
      'activations from GPU to GPU': copies(peer, 200),
      'by a call of its own': copies(peer, 100, 'cudaMemcpyPeerAsync'),
      'as nsys names it': copies('[CUDA memcpy Peer-to-Peer]', 300),
    },
    {
      'inside the GPU': copies('Memcpy DtoD (Device -> Device)', 200),
      'from the CPU': copies(toGpu, 200),
      'a hundredth of the time': copies(peer, 10),
    },
  ),
];
