import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, vi, type TestContext} from 'vitest';
import {nsysArguments} from '../../src/launch/nsys/nsys-arguments.js';
import {captureFlags} from '../../src/launch/nsys/capture.js';
import {nsysSentences, startFailure} from '../../src/launch/nsys/nsys-sentences.js';
import type {ProfileRequest} from '../../src/launch/command/profile-request.js';
import {runTimes, timesNote} from '../../src/launch/nsys/timed-runs.js';
import {runProfile} from '../../src/launch/profile-run.js';
import type {ProfileResult} from '../../src/launch/run/profile-result.js';
import {sidecarPath} from '../../src/core/source/sidecar.js';
import {kindIndex} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {capturedSource, compileNvtxProgram, forkingSource} from '../support/nvtx-program.js';
import {patience} from '../support/patience.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeReplayingNsys, type ReplayFaults} from '../support/replaying-nsys.js';
import {skipTest} from '../support/skip-test.js';

const folder = temporaryFolder();
const recorded = join(folder, 'recorded.sqlite');
writeFileSync(recorded, 'an export');

let runs = 0;

/** Profiles a shell's line under an nsys, in a folder of its own. */
async function profile(
  nsys: string,
  line: string,
  timedRuns = 0,
  signal = new AbortController().signal,
  more: Partial<ProfileRequest> = {},
  abandon = new AbortController().signal,
  nsysLimitMs = 0,
) {
  const output = join(folder, `läufe 測定 ${String(++runs)}`);
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
      recording: {},
      timesSteps: false,
      launchTemplate: null,
      capture: 'run',
      nsysOptions: [],
      timedRuns,
      ...more,
    },
    {
      runner: join(project, 'src', 'runner'),
      python: null,
      nsys: {setting: nsys},
      nsysLimitMs,
      stdout: 'stderr',
      signal,
      abandon,
      onProgress: text => progress.push(text),
      onNoStep: () => undefined,
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

  it('tries a start that failed four times more, and no more often', async () => {
    const {result, progress} = await profile(replay({failedStarts: 4}), 'true');
    expect(result).toMatchObject({status: 0, profiles: [{kind: 'nsys'}]});
    expect(progress.filter(text => text === 'nsys did not start: trying once more')).toHaveLength(4);
    const {result: failed} = await profile(replay({failedStarts: 5}), 'true');
    expect(failed).toMatchObject({
      status: 1,
      profiles: [],
      sentences: [
        'nsys did not start, 5 times: “Local Endpoint is not available”; end other nsys sessions (nsys sessions list) and try again.',
      ],
    });
  });

  it('takes what a program says that went well for no failure of nsys', async () => {
    const home = join(folder, 'says so');
    const nsys = writeReplayingNsys(home, recorded);
    const says = 'echo "Failed to create session: No space left on device"';
    expect((await profile(nsys, says)).result).toMatchObject({status: 0, sentences: []});
    const {result} = await profile(nsys, `${says}; exit 3`);
    expect(result.sentences).toEqual([
      'my bench failed with exit code 3 under nsys.',
      expect.stringMatching(/^The disk is full/),
    ]);
    expect(readFileSync(join(home, 'calls'), 'utf8').match(/^profile /gm)).toHaveLength(2);
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

  it('hears what nsys may not do also before a program that prints more than is kept', async () => {
    const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const flood = 'head -c 200000 /dev/zero | tr "\\0" x >&2';
    const {result} = await profile(replay({saysFirst: 'Warning: ERR_NVGPUCTRPERM'}), flood);
    shown.mockRestore();
    expect(result.sentences).toEqual([expect.stringMatching(/^nsys may not read the GPU’s counters/)]);
  });

  it('keeps what was recorded of a program that is killed', async () => {
    const {result} = await profile(replay(), 'kill -9 $$');
    expect(result).toMatchObject({status: 137, profiles: [{kind: 'nsys'}]});
    expect(result.sentences).toEqual(['my bench failed with exit code 137 under nsys.']);
  });

  it('says how a program fails by itself, before any profiler', async () => {
    await expect(profile(replay(), 'exit 4', 1)).rejects.toThrow(
      'my bench failed with exit code 4, without a profiler.',
    );
  });

  it('ends a program that is cancelled', async () => {
    const [started, stop] = [join(folder, 'started'), new AbortController()];
    const profiled = profile(replay(), `touch '${started}'; sleep 600`, 0, stop.signal);
    await vi.waitUntil(() => existsSync(started), patience);
    stop.abort();
    const {result} = await profiled;
    expect(result.isCancelled).toBe(true);
  });

  it('starts nothing more where it is cancelled in a timed run', async () => {
    const home = join(folder, 'cancelled early');
    const [nsys, stop] = [writeReplayingNsys(home, recorded), new AbortController()];
    const started = join(home, 'started');
    const profiled = profile(nsys, `touch '${started}'; sleep 600`, 1, stop.signal);
    await vi.waitUntil(() => existsSync(started), patience);
    stop.abort();
    const {result} = await profiled;
    expect(result).toMatchObject({isCancelled: true, profiles: [], status: null});
    expect(result.sentences).toEqual(['Profiling my bench was cancelled; nothing had been recorded.']);
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });

  it('ends the export, too, where it is asked to end once more', async () => {
    const ended = AbortSignal.abort();
    const {result} = await profile(replay(), 'true', 0, undefined, {}, ended);
    expect(result.profiles).toEqual([]);
    expect(result.sentences).toEqual([
      expect.stringMatching(/^What nsys recorded was not exported: it is at .*my_bench\.nsys-rep\.$/),
    ]);
  });

  it('says what to do where the capture range was never opened', async () => {
    const nothing = {leavesNothing: true};
    const sentenceOf = async (capture: string) =>
      (await profile(replay(nothing), 'true', 0, undefined, {capture})).result.sentences;
    expect(await sentenceOf('steps')).toEqual([
      'my bench never opened the capture range, so nsys recorded nothing: it took no step that was found. Say what a step is (step), warm up less, or record the whole run (capture: run).',
    ]);
    expect(await sentenceOf('cudaProfilerApi')).toEqual([expect.stringContaining('it did not call cudaProfilerStart')]);
    expect(await sentenceOf('nvtx:a b@c')).toEqual([
      expect.stringContaining(
        'no NVTX range was opened that is named a b@c, or it had ended before nsys began to record.',
      ),
    ]);
    // Without a capture range there is another reason.
    expect(await sentenceOf('run')).toEqual(['nsys ended without a report.']);
  });

  it('tells apart a program that ended in its warm-up, and takes the times that its steps took', async () => {
    const tells = (event: object) => `echo '${JSON.stringify({v: 1, pid: 1, ...event})}' >> "$EVENTS"`;
    const step = {event: 'step', phase: 'warm-up', done: 1, total: 2};
    const times = {event: 'times', what: 'train', stepNs: [5, 7], eventNs: null, device: 'cpu', rank: null};
    // What the runner in a program would tell: the events file is named in its environment.
    const find = `EVENTS=$(echo "$GPULENS_CONFIG" | sed 's/.*"events":"\\([^"]*\\)".*/\\1/')`;
    const capture = 'steps';
    const {result} = await profile(replay({leavesNothing: true}), `${find}; ${tells(step)}`, 0, undefined, {capture});
    expect(result.sentences).toEqual([expect.stringContaining('it ended in its warm-up.')]);
    const {result: timed} = await profile(replay(), `${find}; ${tells(step)}; ${tells(times)}`, 0, undefined, {
      capture,
    });
    expect(timed).toMatchObject({sentences: [], stepTimes: {stepNs: [5, 7], eventNs: null}, profiles: [{steps: 2}]});
  });

  it('gives options of the user’s to nsys, in the place of ours', async () => {
    const home = join(folder, 'with options');
    const nsysOptions = ['--trace=cuda', '--trace-fork-before-exec=true'];
    await profile(writeReplayingNsys(home, recorded), 'true', 0, undefined, {nsysOptions});
    const calls = readFileSync(join(home, 'calls'), 'utf8');
    expect(calls).toContain('--trace=cuda --trace-fork-before-exec=true --force-overwrite=true');
    expect(calls).not.toContain('nvtx');
  });

  it('says that an nsys is too old to record', async () => {
    await expect(profile(replay({version: '2020.3.1'}), 'true')).rejects.toMatchObject({
      code: 'launch/nsys-too-old',
      message: expect.stringMatching(
        /nsys is Nsight Systems 2020\.3\.1, which is too old to record for GPU Lens: install 2021\.4 or later/,
      ) as string,
    });
    expect((await profile(replay({version: '2021.4.1'}), 'true')).result.sentences).toEqual([]);
  });

  it('says that the disk is full, and keeps what there is', async () => {
    const {result} = await profile(replay({says: 'write failed: No space left on device'}), 'exit 1');
    expect(result).toMatchObject({
      profiles: [{kind: 'nsys'}],
      sentences: [
        'my bench failed with exit code 1 under nsys.',
        'The disk is full: what nsys wrote is not complete. Make room, or keep runs on another disk (gpuLens.run.outputFolder, --output).',
      ],
    });
  });

  it('refuses a job of srun, whose ranks it would not see, before anything runs', async () => {
    const home = join(folder, 'with srun');
    const nsys = writeReplayingNsys(home, recorded);
    for (const srun of ['srun', '/opt/slurm/bin/srun']) {
      const command = [srun, '--ntasks', '2', 'python', 'train.py'];
      await expect(profile(nsys, '', 1, undefined, {command})).rejects.toThrow(
        /^nsys would record srun alone, not the ranks that it starts: .*--output=rank\.%q\{SLURM_PROCID\}/,
      );
    }
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });

  it('refuses a launch template, which would run the command elsewhere, before anything runs', async () => {
    const home = join(folder, 'with a template');
    const template = {run: ['ssh', 'host', '{commandLine}'], folder: null, workingFolder: null, python: null};
    const run = profile(writeReplayingNsys(home, recorded), 'true', 1, undefined, {launchTemplate: template});
    await expect(run).rejects.toThrow(/^nsys would record the command on this machine, not where the launch template/);
    expect(existsSync(join(home, 'calls'))).toBe(false);
  });

  it('tells the program where what is known of its modules belongs: beside the export', async () => {
    const {result} = await profile(replay(), 'echo lines > "$GPULENS_NVTX_SIDECAR"');
    const [{path} = {path: ''}] = result.profiles;
    expect(readFileSync(sidecarPath(path), 'utf8')).toBe('lines\n');
  });

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

describe('captureFlags(help, capture, way)', () => {
  const help = '\t-c, --capture-range=\n\t--capture-range-end=\n\t--kill=\n';
  const ending = ['--capture-range-end=stop-shutdown', '--kill=none'];
  it('opens the measured steps by the profiler API, or by an NVTX range', () => {
    expect(captureFlags(help, 'steps', 'cuda')).toEqual(['--capture-range=cudaProfilerApi', ...ending]);
    expect(captureFlags(help, 'steps', 'nvtx')).toEqual([
      ...['--capture-range=nvtx', '--nvtx-capture=gpu_lens_measured_steps'],
      ...['--env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0', ...ending],
    ]);
  });
  it('takes what the program itself opens', () => {
    expect(captureFlags(help, 'cudaProfilerApi', 'nvtx')).toEqual(['--capture-range=cudaProfilerApi', ...ending]);
    expect(captureFlags(help, 'nvtx:my step@mine', 'nvtx')).toContain('--nvtx-capture=my step@mine');
    expect(captureFlags(help, 'run', 'nvtx')).toEqual([]);
  });
  it('ends the range as older versions do, and says so of those that have none', () => {
    const older = '\t-c, --capture-range=\n\t-x, --stop-on-range-end=\n';
    expect(captureFlags(older, 'cudaProfilerApi', 'cuda')).toEqual([
      ...['--capture-range=cudaProfilerApi', '--stop-on-range-end=true'],
    ]);
    expect(() => captureFlags('\t--trace=\n', 'steps', 'cuda')).toThrow('This nsys has no --capture-range');
  });
});

it.each([
  ['CPU context switch trace is not supported: perf_event_paranoid is 4', /^nsys may not sample the CPU/],
  ['write error: No space left on device', /^The disk is full/],
  ["unrecognised option '--pytorch'", /^This nsys does not know an option/],
])('nsysSentences(%j) says what to do', (output, expected) => {
  expect(nsysSentences(output, false)).toEqual([expect.stringMatching(expected)]);
});

it('nsysSentences and startFailure have nothing to say of a run that went well', () => {
  const output =
    "Generating '/tmp/nsys-report-1.qdstrm'\n[1/1] [====100%] bench.nsys-rep\nGenerated:\n    /w/bench.nsys-rep\n";
  expect(nsysSentences(output, false)).toEqual([]);
  expect(startFailure(output)).toBeNull();
});

it('startFailure(output) is the line in which nsys says it, as 2022.4 does where two start at once', () => {
  const thrown =
    'ProcessWaiterImpl.cpp(166): Throw in function QuadDCommon::ProcessWaiter::ProcessWaiterImpl::ProcessWaiterImpl()';
  expect(startFailure(`${thrown}\nstd::exception::what: SystemException\n`)).toBe(thrown);
  expect(startFailure('a\r\n  Failed to create session.\n')).toBe('Failed to create session.');
});

it('runTimes(durations) is mean and sample standard deviation', () => {
  // By hand: mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 7.
  expect(runTimes([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({count: 8, meanNs: 5, stdNs: Math.sqrt(32 / 7)});
  expect(runTimes([7])).toEqual({count: 1, meanNs: 7, stdNs: NaN});
  expect(timesNote(runTimes([2e6]), 5e9)).toBe(
    'One run without nsys took 2.00 ms; the one under nsys 5.00 s with the start and the end of nsys.',
  );
});

/**
 * Skips a test where nsys did not start, with what it said. Its version 2022.4 opens a semaphore of the program that it
 * is about to run, which its launcher may not have made by then ("sem_open: No such file"): beside six busy loops on two
 * cores it never started in seven runs. The programs here all end with 0, so any other failure is one of the test.
 */
function nsysRan(context: TestContext, {status, sentences}: ProfileResult): boolean {
  const notStarted = sentences.find(sentence => sentence.startsWith('nsys did not start'));
  if (notStarted !== undefined) {
    skipTest(context, notStarted);
    return false;
  }
  expect(status, sentences.join(' ')).toBe(0);
  return true;
}

it('a real nsys records the NVTX ranges of a compiled program', async context => {
  const real = await compileNvtxProgram(join(folder, 'real'));
  if (typeof real === 'string') {
    skipTest(context, real);
    return;
  }
  const {result} = await profile(real.nsys, real.program);
  if (!nsysRan(context, result)) return;
  expect(result).toMatchObject({status: 0, sentences: [], profiles: [{kind: 'nsys'}]});
  const trace = await openTrace(result.profiles[0]?.path ?? '');
  const {length, name} = trace.slices;
  const names = Array.from({length}, (_, slice) => trace.strings.get(name[slice] ?? 0));
  expect(names.filter(one => one === 'step ä')).toHaveLength(4);
  expect(names.filter(one => one === 'inner')).toHaveLength(4);
});

it('a real nsys captures a range of a compiled program alone', async context => {
  const real = await compileNvtxProgram(join(folder, 'captured'), capturedSource);
  if (typeof real === 'string') {
    skipTest(context, real);
    return;
  }
  const command = [real.program];
  const {result} = await profile(real.nsys, '', 0, undefined, {command, capture: 'nvtx:step ä'});
  if (!nsysRan(context, result)) return;
  expect(result).toMatchObject({status: 0, sentences: [], profiles: [{kind: 'nsys'}]});
  // Of the four the first alone: what it is in was open before, and so is what ends the capture.
  const names = rangeNames(await openTrace(result.profiles[0]?.path ?? ''));
  expect(names.filter(one => one === 'inner')).toHaveLength(1);
  const {result: never} = await profile(real.nsys, '', 0, undefined, {command, capture: 'nvtx:other'});
  if (!nsysRan(context, never)) return;
  expect(never).toMatchObject({profiles: [], sentences: [expect.stringContaining('never opened the capture range')]});
});

it('a real nsys misses what a program does that forks, and the report says so with the flag that helps', async context => {
  const real = await compileNvtxProgram(join(folder, 'forking'), forkingSource);
  if (typeof real === 'string') {
    skipTest(context, real);
    return;
  }
  const command = [real.program];
  const {result: without} = await profile(real.nsys, '', 0, undefined, {command});
  if (!nsysRan(context, without)) return;
  const missed = await openTrace(without.profiles[0]?.path ?? '');
  expect(rangeNames(missed)).toEqual(['parent']);
  expect(missed.notes.find(({code}) => code === 'processes/forked')?.text).toMatch(
    /^2 processes were forked, but the report has no events of them\. .*--trace-fork-before-exec=true/,
  );
  const nsysOptions = ['--trace-fork-before-exec=true'];
  const {result} = await profile(real.nsys, '', 0, undefined, {command, nsysOptions});
  if (!nsysRan(context, result)) return;
  const seen = await openTrace(result.profiles[0]?.path ?? '');
  expect(rangeNames(seen).sort()).toEqual(['child', 'child', 'parent']);
  expect(seen.notes.map(({code}) => code)).not.toContain('processes/forked');
});

function rangeNames({slices, strings}: Trace): string[] {
  return Array.from({length: slices.length}, (_, slice) => slice)
    .filter(slice => slices.kind[slice] === kindIndex.nvtx_pushpop)
    .map(slice => strings.get(slices.name[slice] ?? 0));
}
