import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {nsysArguments} from '../../src/launch/nsys/nsys-arguments.js';
import {isStartFailure, nsysSentences} from '../../src/launch/nsys/nsys-sentences.js';
import {runTimes, timesNote} from '../../src/launch/nsys/timed-runs.js';
import {runProfile} from '../../src/launch/profile-run.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {compileNvtxProgram} from '../support/nvtx-program.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeReplayingNsys, type ReplayFaults} from '../support/replaying-nsys.js';

const folder = temporaryFolder();
const recorded = join(folder, 'recorded.sqlite');
writeFileSync(recorded, 'an export');

let runs = 0;

/** Profiles a shell's line under an nsys, in a folder of its own. */
async function profile(nsys: string, line: string, timedRuns = 0, signal = new AbortController().signal) {
  const output = join(folder, `run ${String(++runs)}`);
  const progress: string[] = [];
  const result = await runProfile(
    {
      profiler: 'nsys',
      name: 'my bench',
      command: ['sh', '-c', line],
      cwd: folder,
      env: process.env,
      root: folder,
      output,
      steps: {
        warmupSteps: 2,
        activeSteps: 3,
        step: 'auto',
        device: 'auto',
        recordsShapes: true,
        recordsStacks: false,
        recordsMemory: false,
        recordsModules: true,
        recordsCallLines: false,
        stopsWhenRecorded: false,
      },
      timedRuns,
    },
    {
      runner: join(project, 'src', 'runner'),
      python: null,
      nsys: {setting: nsys},
      stdout: 'stderr',
      signal,
      onProgress: text => progress.push(text),
    },
    () => undefined,
  );
  return {result, progress};
}

const replay = (faults?: ReplayFaults) => writeReplayingNsys(join(folder, `nsys ${String(++runs)}`), recorded, faults);

describe('profileWithNsys', () => {
  it('runs the command under a timer and once under nsys, and exports the report', async () => {
    const marks = join(folder, 'marks');
    const {result, progress} = await profile(replay(), `echo run >> '${marks}'`, 2);
    expect(readFileSync(marks, 'utf8')).toBe('run\n'.repeat(4));
    expect(progress).toEqual([
      ...['warm-up run', 'timed run 1/2', 'timed run 2/2', 'running under nsys', 'exporting the report'],
    ]);
    expect(result).toMatchObject({status: 0, isCancelled: false, sentences: []});
    const [{path, kind} = {path: '', kind: ''}] = result.profiles;
    expect(kind).toBe('nsys');
    expect(readFileSync(path, 'utf8')).toBe('an export');
    expect(result.notes[0]).toMatch(
      /^2 runs without nsys took [\d.]+ (µs|ms|s) ± [\d.]+ (ns|µs|ms|s); the one under nsys /,
    );
    expect(result.notes[1]).toContain('environment variables of every process');
  });

  it('tries a start that failed once more, and no more often', async () => {
    const {result, progress} = await profile(replay({failedStarts: 1}), 'true');
    expect(result).toMatchObject({status: 0, profiles: [{kind: 'nsys'}]});
    expect(progress).toContain('nsys did not start: trying once more');
    const {result: failed} = await profile(replay({failedStarts: 2}), 'true');
    expect(failed).toMatchObject({
      status: 1,
      profiles: [],
      sentences: ['my bench failed with exit code 1 under nsys.', 'nsys ended without a report.'],
    });
  });

  it('imports raw events by itself where nsys does not, and says so where it cannot', async () => {
    const {result} = await profile(replay({raw: 'with-importer'}), 'true');
    expect(result).toMatchObject({sentences: [], profiles: [{kind: 'nsys'}]});
    const home = join(folder, 'host-less');
    const {result: half} = await profile(writeReplayingNsys(home, recorded, {raw: 'without-importer'}), 'true');
    // The machine may have an importer where Debian puts it.
    if (existsSync('/usr/lib/nsight-systems/host-linux-x64/QdstrmImporter')) {
      expect(half.sentences[0]).toMatch(/could not be imported/);
    } else expect(half.sentences[0]).toMatch(/^This nsys is half installed: it left .*my_bench\.qdstrm/);
  });

  it('keeps what was recorded of a program that fails, and says what nsys may not do', async () => {
    const {result} = await profile(replay({says: 'Error: ERR_NVGPUCTRPERM'}), 'exit 3');
    expect(result).toMatchObject({status: 3, profiles: [{kind: 'nsys'}]});
    expect(result.sentences).toEqual([
      'my bench failed with exit code 3 under nsys.',
      expect.stringMatching(/^nsys may not read the GPU’s counters: .*NVreg_RestrictProfilingToAdminUsers=0/),
    ]);
  });

  it('says how a program fails by itself, before any profiler', async () => {
    await expect(profile(replay(), 'exit 4', 1)).rejects.toThrow(
      'my bench failed with exit code 4, without a profiler.',
    );
  });

  it('ends a program that is cancelled', async () => {
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 500);
    const {result} = await profile(replay(), 'sleep 600', 0, stop.signal);
    expect(result.isCancelled).toBe(true);
  }, 30_000);

  it('says that there is no nsys', async () => {
    await expect(profile('/no/nsys', 'true')).rejects.toMatchObject({code: 'launch/no-nsys'});
  });
});

describe('nsysArguments(help, request)', () => {
  const request = {output: '/w/my report', isPython: true, command: ['python', 'a b.py']};
  it('gives the flags that this version has, and no sampling', () => {
    const old = nsysArguments('\t-t, --trace=\n\t--cuda-graph-trace=\n', request);
    expect(old).toEqual([
      ...['profile', '--trace=cuda,nvtx,osrt,cudnn,cublas', '--sample=none', '--cpuctxsw=none'],
      ...['--cuda-graph-trace=node', '--force-overwrite=true', '--output=/w/my report', 'python', 'a b.py'],
    ]);
    const help = '--cuda-graph-trace=\n\t--pytorch=\n\t autograd-nvtx, autograd-shapes-nvtx\n\t--python-backtrace=\n';
    const flags = nsysArguments(help, request);
    expect(flags).toEqual(expect.arrayContaining(['--pytorch=autograd-shapes-nvtx', '--python-backtrace=cuda']));
    expect(nsysArguments(help, {...request, isPython: false})).not.toContain('--python-backtrace=cuda');
  });
});

it.each([
  ['CPU context switch trace is not supported: perf_event_paranoid is 4', /^nsys may not sample the CPU/],
  ['write error: No space left on device', /^The disk is full/],
  ["unrecognised option '--pytorch'", /^This nsys does not know an option/],
])('nsysSentences(%j) says what to do', (output, expected) => {
  expect(nsysSentences(output)).toEqual([expect.stringMatching(expected)]);
});

it('nsysSentences and isStartFailure have nothing to say of a run that went well', () => {
  const output =
    "Generating '/tmp/nsys-report-1.qdstrm'\n[1/1] [====100%] bench.nsys-rep\nGenerated:\n    /w/bench.nsys-rep\n";
  expect(nsysSentences(output)).toEqual([]);
  expect(isStartFailure(output)).toBe(false);
});

it('runTimes(durations) is mean and sample standard deviation', () => {
  // By hand: mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 7.
  expect(runTimes([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({count: 8, meanNs: 5, stdNs: Math.sqrt(32 / 7)});
  expect(runTimes([7])).toEqual({count: 1, meanNs: 7, stdNs: NaN});
  expect(timesNote(runTimes([2e6]), 5e9)).toBe(
    'One run without nsys took 2.00 ms; the one under nsys 5.00 s with the start and the end of nsys.',
  );
});

it('a real nsys records the NVTX ranges of a compiled program', async context => {
  const real = await compileNvtxProgram(join(folder, 'real'));
  if (typeof real === 'string') {
    console.warn(`skipped: ${real}`);
    context.skip();
    return;
  }
  const {result} = await profile(real.nsys, real.program);
  expect(result).toMatchObject({status: 0, sentences: [], profiles: [{kind: 'nsys'}]});
  const trace = await openTrace(result.profiles[0]?.path ?? '');
  const {length, name} = trace.slices;
  const names = Array.from({length}, (_, slice) => trace.strings.get(name[slice] ?? 0));
  expect(names.filter(one => one === 'step ä')).toHaveLength(4);
  expect(names.filter(one => one === 'inner')).toHaveLength(4);
}, 120_000);
