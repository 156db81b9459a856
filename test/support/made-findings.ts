import type {Finding} from '../../src/core/findings/rules/finding.js';
import {findingsInFile} from './findings.js';
import {GpuProgram} from './gpu-program.js';
import {ofEvents} from './trace-of-events.js';

const a100 = {deviceProperties: [{id: 0, name: 'NVIDIA A100-SXM4-80GB'}]};

/** Keeps the GPU busy for a while, without a gap. */
export const busy = (program: GpuProgram, us = 1000): GpuProgram =>
  program
    .launch({gpu: us / 2})
    .launch({gpu: us / 2})
    .python(us - 10);

/** Returns the findings of a simulated program. @param members of the file, besides its events */
export async function findingsOf(make: (program: GpuProgram) => void, members: object = a100): Promise<Finding[]> {
  const program = new GpuProgram();
  make(program);
  return ofEvents(program.events, members, findingsInFile);
}
