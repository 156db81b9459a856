import type {GpuProgram} from '../../support/gpu-program.js';
import {casesOf, type MadeCase} from './made-case.js';

const add = {operator: 'aten::add', gpu: 20};
/** Repeats Python work, then an operator with a short kernel. */
const interleaved = (pythonUs: number, gpu: number) => (program: GpuProgram) => {
  for (let at = 0; at < 50; at++) program.python(pythonUs).launch({...add, gpu});
};

/** A compiled region in two parts: the second begins inside the first, after some Python work. */
const broken = (pythonUs: number) => (program: GpuProgram) =>
  program.range('Torch-Compiled Region: 0/0', () =>
    program
      .launches(3, add)
      .python(pythonUs)
      .range('Torch-Compiled Region: 1/0', () => program.launches(3, add)),
  );
const times = (count: number, make: (program: GpuProgram) => void) => (program: GpuProgram) => {
  for (let at = 0; at < count; at++) make(program);
};

/** Simulated programs for the rules `idle/python` and `idle/graph-breaks`. */
export const idleCases: readonly MadeCase[] = [
  ...casesOf(
    'idle/python',
    {
      'Python of 40 µs before each operator': interleaved(40, 20),
      'one stretch of 5 ms': program => program.launches(50, add).python(5000).launches(50, add),
      'logging once a step': times(4, program => program.launches(20, add).python(900).launches(20, add)),
    },
    {
      'the GPU has enough to do': interleaved(40, 60),
      'operators take the time': program => {
        for (let at = 0; at < 50; at++) program.launch({...add, cpu: 60});
      },
      'the thread waits for the GPU': program => {
        for (let at = 0; at < 50; at++) program.launch(add).synchronise();
      },
      'no operators are recorded': program => {
        for (let at = 0; at < 50; at++) program.python(40).launch({gpu: 20});
      },
    },
  ),
  ...casesOf(
    'idle/graph-breaks',
    {
      'Python of 200 µs in a region': times(5, broken(200)),
      'many breaks of 120 µs': times(50, broken(120)),
      'two breaks in one another': times(5, program =>
        program.range('Torch-Compiled Region: 0/0', () =>
          program
            .launches(2, add)
            .python(150)
            .range('Torch-Compiled Region: 1/0', () =>
              program
                .launches(2, add)
                .python(150)
                .range('Torch-Compiled Region: 2/0', () => program.launches(2, add)),
            ),
        ),
      ),
    },
    {
      'regions follow one another': times(5, program => {
        program.range('Torch-Compiled Region: 0/0', () => program.launches(3, add)).python(200);
        program.range('Torch-Compiled Region: 1/0', () => program.launches(3, add));
      }),
      'a break while the GPU is busy': times(5, program => {
        program.launch({...add, gpu: 1000});
        broken(200)(program);
        program.python(600);
      }),
      'Python in one region': times(5, program =>
        program.range('Torch-Compiled Region: 0/0', () => program.launches(3, add).python(200).launches(3, add)),
      ),
    },
  ),
];
