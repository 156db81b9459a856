import type {GpuProgram} from '../../support/gpu-program.js';
import {busy} from '../../support/made-findings.js';
import {casesOf, type MadeCase} from './made-case.js';

/** A collective's kernel with the size of its message, in elements of four bytes. */
const collective = (elements: number, gpu: number, {ranks = 8, operation = 'allreduce', device = 0} = {}) => ({
  name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL',
  gpu,
  device,
  args: {
    ...{'Collective name': operation, dtype: 'Float', 'Group size': ranks, 'Process Group Name': '0'},
    ...{'In msg nelems': elements, 'Out msg nelems': elements},
  },
});
const each = (count: number, make: (program: GpuProgram) => void) => (program: GpuProgram) => {
  for (let at = 0; at < count; at++) make(program);
};

/** Two GPUs that compute for some µs each, and then communicate. */
const ranks = (first: number, second: number) =>
  each(5, program => {
    program.launch({gpu: first}).launch({gpu: second, device: 1});
    program
      .launch(collective(1e6, 50))
      .launch(collective(1e6, 50, {device: 1}))
      .synchronise();
  });

/**
 * Simulated programs for the rules about several GPUs. An all_reduce of 100 MB by 8 GPUs takes 583 µs at NVLink's 300
 * GB/s.
 */
export const communicationCases: readonly MadeCase[] = [
  ...casesOf(
    'communication/small-messages',
    {
      '200 gradients one by one': each(200, program => program.launch({gpu: 20}).launch(collective(1000, 15))),
      '120 of half a megabyte': each(120, program => program.launch({gpu: 100}).launch(collective(125_000, 30))),
      'gathered shards of a few bytes': each(150, program =>
        program.launch({gpu: 50}).launch(collective(64, 12, {operation: '_allgather_base'})),
      ),
    },
    {
      'a few': each(20, program => program.launch({gpu: 20}).launch(collective(1000, 15))),
      'as many large ones': each(200, program => program.launch({gpu: 20}).launch(collective(5e6, 60))),
      'a hundredth of the time': each(150, program => program.launch({gpu: 1500}).launch(collective(1000, 10))),
      'groups of one rank': each(200, program => program.launch({gpu: 20}).launch(collective(1000, 15, {ranks: 1}))),
      'no sizes': each(200, program => program.launch({gpu: 20}).launch({name: 'ncclDevKernel_AllReduce', gpu: 15})),
    },
  ),
  ...casesOf(
    'communication/slow-link',
    {
      'a tenth of NVLink': each(5, program => busy(program).launch(collective(25e6, 5830))),
      'over PCIe': each(5, program => busy(program).launch(collective(25e6, 7000, {ranks: 2}))),
      'gathered at a fifth': each(6, program =>
        busy(program).launch(collective(25e6, 1460, {ranks: 4, operation: '_reduce_scatter_base'})),
      ),
    },
    {
      'at two thirds of NVLink': each(5, program => busy(program).launch(collective(25e6, 900))),
      'slow but once, where a rank is late': program => {
        for (const gpu of [900, 9000, 9000, 9000, 9000]) busy(program).launch(collective(25e6, gpu));
      },
      'small ones, which take the time of the way': each(50, program => program.launch(collective(1000, 15))),
      'two calls': each(2, program => busy(program).launch(collective(25e6, 5830))),
      'no sizes': each(5, program => busy(program).launch({name: 'ncclDevKernel_AllReduce', gpu: 5830})),
    },
  ),
  ...casesOf(
    'ranks/uneven',
    {
      'a half more': ranks(1500, 1000),
      'the second has more': ranks(700, 1000),
      'a pipeline whose last stage does little': ranks(2000, 200),
    },
    {
      'as much': ranks(1000, 1000),
      'a twentieth more': ranks(1050, 1000),
      'one GPU alone': each(5, program => program.launch({gpu: 1000}).launch(collective(1e6, 50))),
      'a second GPU that takes no part': each(5, program => {
        program.launch({gpu: 1000}).launch(collective(1e6, 50)).launch({gpu: 100, device: 1});
      }),
    },
  ),
];
