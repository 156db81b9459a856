import type {GpuProgram} from '../../support/gpu-program.js';
import {busy} from '../../support/made-findings.js';
import {casesOf, type MadeCase} from './made-case.js';

/** Launches work that continues after the range. */
const queued =
  (name: string, gpu: number, cpu = 5) =>
  (program: GpuProgram) =>
    program.range(name, () => program.launches(10, {gpu, cpu})).synchronise();

/** The profiler, or CUDA, works on the thread for some µs. */
const overhead = (name: string, us: number) => (program: GpuProgram) => {
  busy(program, 1000);
  program.overhead(name, us).python(us);
  busy(program, 1000);
};

/** Samples of a clock in MHz, one every 100 µs, while the GPU is busy. */
const clock = (name: string, megahertz: readonly number[]) => (program: GpuProgram) => {
  program.launch({gpu: 100 * megahertz.length + 100});
  megahertz.forEach((value, at) => program.counter(name, 10 + 100 * at, value));
};

/** Simulated programs for the rules `doubt/…`. */
export const doubtCases: readonly MadeCase[] = [
  ...casesOf(
    'doubt/unsynchronised-timers',
    {
      'a forward pass that is only queued': queued('forward', 100),
      'three steps, each far shorter than its work': program => {
        for (let at = 0; at < 3; at++) queued('train step', 60)(program);
      },
      'a range that holds another, and ends as early': program =>
        program.range('epoch', () => program.range('attention', () => program.launches(5, {gpu: 200}))).synchronise(),
    },
    {
      'the range synchronises': program =>
        program.range('forward', () => program.launches(10, {gpu: 100}).synchronise()),
      'the CPU takes as long as the GPU': queued('forward', 20, 20),
      'the work is a hundredth of the profile': program => {
        queued('small', 10)(program);
        program.launch({gpu: 10_000});
      },
      'PyTorch’s own range': queued('Optimizer.step#AdamW.step', 100),
    },
  ),
  ...casesOf(
    'doubt/profiler-overhead',
    {
      'buffers are flushed for a fifth of the time': overhead('CUPTI Buffer flush', 500),
      'activity buffers are asked for': overhead('Activity Buffer Request', 300),
      'several short stretches': program => {
        for (let at = 0; at < 5; at++) overhead('Buffer Flush', 150)(program);
      },
    },
    {
      'a hundredth of the time': overhead('CUPTI Buffer flush', 20),
      'modules are loaded, as without a profiler': overhead('Runtime Triggered Module Loading', 500),
      'functions are loaded when they are needed': overhead('Lazy Function Loading', 500),
      'behind the last operation': program => {
        busy(program, 2000);
        program.synchronise().overhead('CUPTI Buffer flush', 500).python(500);
      },
    },
  ),
  ...casesOf(
    'doubt/falling-clocks',
    {
      'from 1,410 to 1,200 MHz': clock('GPU clock (MHz)', [1410, 1410, 1410, 1350, 1300, 1250, 1200, 1200, 1200]),
      'by a tenth, step by step': clock('SM Clock (MHz)', [1980, 1950, 1900, 1880, 1850, 1800, 1790, 1780, 1770]),
      'with one sample that is higher': clock(
        'GPC Clock Frequency (MHz)',
        [1500, 1510, 1500, 1400, 1600, 1300, 1300, 1290, 1300],
      ),
    },
    {
      'a steady clock': clock('GPU clock (MHz)', [1410, 1400, 1410, 1405, 1410, 1400, 1410, 1410, 1405]),
      'a clock that rises': clock('GPU clock (MHz)', [1200, 1200, 1300, 1350, 1400, 1400, 1410, 1410, 1410]),
      'the memory’s clock': clock('Memory clock (MHz)', [1593, 1593, 1593, 1400, 1400, 1300, 1200, 1200, 1200]),
      'three samples': clock('GPU clock (MHz)', [1410, 1300, 1200]),
      'it falls when the work is done': program => {
        clock('GPU clock (MHz)', [1410, 1410, 1410, 1410, 1410, 1410, 1410, 1410, 1410])(program);
        for (let at = 0; at < 9; at++) program.counter('GPU clock (MHz)', 2000 + 100 * at, 300);
      },
    },
  ),
];
