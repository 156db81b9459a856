import {existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, vi} from 'vitest';
import {withFault, type Fault} from '../../scripts/lib/suite/apply-fault.mjs';
import {changedSince} from '../../scripts/lib/suite/changed-files.mjs';
import {isolatedFiles} from '../../scripts/lib/suite/isolated-files.mjs';
import {aloneFiles, longFiles} from '../../scripts/lib/suite/long-files.mjs';
import {slowFiles} from '../../scripts/lib/suite/quick-files.mjs';
import {endToEndTestsOf} from '../../scripts/lib/suite/reached-end-to-end.mjs';
import {pythonTestsOf, readersOf, relatedFiles} from '../../scripts/lib/suite/reached-tests.mjs';
import {readPytest, readVitest} from '../../scripts/lib/suite/read-reports.mjs';
import {withRow} from '../../scripts/lib/suite/run-record.mjs';
import {runsLeft} from '../../scripts/lib/suite/runs-left.mjs';
import {countedReasons, SuiteResult} from '../../scripts/lib/suite/suite-result.mjs';
import {testEnvironment} from '../../scripts/lib/suite/test-environment.mjs';
import {whyNoPrograms, whyNoProgramsIn} from '../../scripts/lib/suite/test-requirements.mjs';
import {workersFor} from '../../scripts/lib/suite/workers.mjs';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('reports of a stage', () => {
  it('readVitest has times, and skips with the reason that was given or the condition of the file', () => {
    const source = written('a.test.ts', "describe.skipIf(!hasData)('x', () => {});\n");
    const assertionResults = [
      {fullName: 'x passes', status: 'passed', duration: 1500},
      {fullName: 'x is left out', status: 'skipped'},
      {fullName: 'x gives a reason', status: 'skipped'},
    ];
    const counts = {numPassedTests: 1, numFailedTests: 0, numPendingTests: 2};
    const report = written('a.json', JSON.stringify({...counts, testResults: [{name: source, assertionResults}]}));
    const read = readVitest(report, join(folder, 'absent.json'));
    expect(read).toMatchObject({passed: 1, failed: 0, skipped: 2, tests: [{seconds: 1.5}]});
    const names = read.skips.map(({name}) => name);
    expect(read.skips[0]?.reason).toContain('GPU_LENS_DATA');
    const notes = written('notes.json', JSON.stringify({[names[1] ?? '']: 'needs an ssh server'}));
    expect(readVitest(report, notes).skips.map(({reason}) => reason)).toEqual([
      read.skips[0]?.reason,
      'needs an ssh server',
    ]);
  });

  it('readPytest has times, and skips with their reasons', () => {
    const cases = [
      '<testcase classname="test.runner.test_a" name="test_x[1]" time="2.5" />',
      '<testcase classname="test.runner.test_a" name="test_y" time="0.0"><skipped type="pytest.skip" message="there is no &quot;g++&quot;">x</skipped></testcase>',
      '<testcase classname="test.runner.test_a" name="test_z" time="1.0"><failure message="no">x</failure></testcase>',
    ];
    const suite = `<testsuites><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="3">${cases.join('')}</testsuite></testsuites>`;
    expect(readPytest(written('p.xml', suite))).toEqual({
      ...{passed: 1, failed: 1, skipped: 1},
      tests: [
        {name: 'test/runner/test_a.py › test_x[1]', seconds: 2.5},
        {name: 'test/runner/test_a.py › test_z', seconds: 1},
      ],
      skips: [{name: 'test/runner/test_a.py › test_y', reason: 'there is no "g++"'}],
    });
  });
});

describe('SuiteResult', () => {
  it('counts a stage that ends badly without a failed test as one failure, and one that cannot be set up', async () => {
    const written: string[] = [];
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(text => written.push(String(text)) > 0);
    const status = process.exitCode;
    try {
      const result = new SuiteResult();
      result.add('unit', {passed: 3, failed: 0, skipped: 1, skips: [{name: 'a', reason: 'no nsys'}]}, 1);
      await result.stage('Python', () => Promise.reject(new Error('install it')));
      result.finish();
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = status;
      stdout.mockRestore();
    }
    const lines = written.join('').trimEnd().split('\n');
    expect(lines.at(-1)).toBe('3 passed, 2 failed, 1 skipped');
    expect(lines).toContain('Failed: unit; Python: install it');
    expect(lines).toContain('     1  no nsys');
  });

  it('countedReasons(skips) groups them', () => {
    expect(countedReasons([{reason: 'a'}, {reason: 'b'}, {reason: 'b'}])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });
});

describe('what a change can reach', () => {
  it('pythonTestsOf(changed) is the changed tests, or all where the runner or what they share changed', () => {
    expect(pythonTestsOf(['test/runner/test_steps.py', 'docs/lines.md'])).toEqual(['test/runner/test_steps.py']);
    expect(pythonTestsOf(['test/runner/test_steps.py', 'test/runner/conftest.py'])).toEqual(['test/runner']);
    expect(pythonTestsOf(['test/programs/callbacks.py'])).toEqual(['test/runner']);
    expect(pythonTestsOf(['test/runner/test_no_longer_there.py'])).toEqual([]);
    expect(pythonTestsOf(['src/core/trace/trace.ts'])).toEqual(['test/runner/test_package.py']);
    expect(pythonTestsOf(['scripts/lib/venv.mjs'])).toEqual(['test/runner']);
    expect(pythonTestsOf(['webview/flame/main.ts', 'docs/lines.md'])).toEqual([]);
  });

  it('endToEndTestsOf(changed) is those of a webview, all for the host, and none for documents', () => {
    const ofHost = endToEndTestsOf(['src/host/extension.ts']);
    const names = (view: string) =>
      endToEndTestsOf([`webview/${view}/main.ts`]).map(path => path.replace(/^test\/e2e\/|\.e2e\.ts$/g, ''));
    // All pages are opened by the test of view pages; another test opens all views of the packed extension.
    expect(names('query')).toEqual(expect.arrayContaining(['packed-extension', 'query', 'view-pages']));
    expect(names('query').length).toBeLessThan(ofHost.length / 2);
    expect(names('flame')).toContain('what-if');
    // The view of memory has controls of the roofline’s.
    expect(names('roofline')).toEqual(expect.arrayContaining(['memory', 'roofline']));
    const ofAll = [
      ...['webview/shared/a.ts', 'l10n/bundle.l10n.json', 'package.nls.json', 'test/support/patience.ts'],
      ...['scripts/start.mjs', 'scripts/lib/code-server.mjs', '.vscodeignore', 'test/fixtures/nsys/worked.sql'],
    ];
    for (const path of ofAll) expect([path, endToEndTestsOf([path])]).toEqual([path, ofHost]);
    expect(ofHost.length).toBeGreaterThanOrEqual(40);
    expect(endToEndTestsOf(['scripts/lib/login-texts.json'])).toEqual(['test/e2e/code-server.e2e.ts']);
    expect(endToEndTestsOf(['docs/lines.md', 'test/core/base/errors.test.ts'])).toEqual([]);
    expect(endToEndTestsOf(['test/e2e/query.e2e.ts', 'test/e2e/no-longer-there.e2e.ts'])).toEqual([
      'test/e2e/query.e2e.ts',
    ]);
  });

  it.each([
    ['src/core/trace/trace.ts', ['test/package', 'test/engine', 'test/sql', 'test/cli/pipes.test.ts']],
    ['src/launch/elsewhere/ssh.ts', ['test/launch/elsewhere/ssh.test.ts']],
    ['src/host/extension.ts', ['test/package', 'test/scripts']],
    ['media/sample/train.py', ['test/package', 'test/cli/pipes.test.ts']],
    ['l10n/bundle.l10n.zh-cn.json', ['test/webview/translated.test.ts']],
    ['docs/schema/job.json', ['test/cli/job.test.ts']],
    ['esbuild.mjs', ['test/cli/pipes.test.ts', 'test/engine']],
    ['docs/sql.md', ['test/sql/documented-queries.test.ts']],
    ['test/fixtures/gloo/rank-0.meta.json', ['test/engine/job.test.ts', 'test/host/annotations']],
    ['test/fuzz/corpus/a.json', ['test/fuzz']],
    ['test/agents/cases.json', ['test/agents']],
  ])('readersOf([%j]) has the tests that read it, or run what is built of it', (path, tests) => {
    const found = readersOf([path]);
    expect(tests.filter(test => !found.some(one => one.startsWith(test)))).toEqual([]);
  });

  it('readersOf([]) is none', () => {
    expect(readersOf([])).toEqual([]);
  });

  it('changedSince(base) says so where git does not know', async () => {
    const copy = temporaryFolder();
    await expect(changedSince('HEAD', copy)).rejects.toThrow(
      /^git does not say what has changed \(.+\): run "npm test"/,
    );
  });

  it('relatedFiles(listed) takes the name of the project away', () => {
    const listed = 'npm warn\n[shared] test/core/a.test.ts\n[isolated] test/host/b.test.ts\ntest/c.test.ts\n';
    expect(relatedFiles(listed)).toEqual(['test/core/a.test.ts', 'test/host/b.test.ts', 'test/c.test.ts']);
  });

  it('files that put something in the place of a module have modules of their own', () => {
    const isolated = new Set(globSync(isolatedFiles, {cwd: project}));
    const files = globSync('test/**/*.test.ts', {cwd: project});
    const replacing = files.filter(file => /\bvi\.(mock|doMock)\(/.test(readFileSync(join(project, file), 'utf8')));
    expect(replacing.filter(file => !isolated.has(file))).toEqual([]);
  });

  it('the lists of files that a quick run leaves out, and of isolated ones, name files that exist', () => {
    for (const pattern of [...slowFiles, ...isolatedFiles])
      expect([pattern, globSync(pattern, {cwd: project}).length > 0]).toEqual([pattern, true]);
  });

  it('the files that run alone are some of the long ones: others would never run', () => {
    expect(longFiles('test/**/*.test.ts')).toEqual(expect.arrayContaining([...aloneFiles]));
  });
});

describe('the record of runs', () => {
  const page = (...rows: string[]) =>
    ['<!-- table: repeated -->', '', '| when | commit |', '| --- | --- |', ...rows, '', 'The end.'].join('\n');

  it('withRow(text, name, cells) adds a row at the end of the table, or says that there is none', () => {
    expect(withRow(page('| a | b |'), 'repeated', ['c', 'd'])).toBe(page('| a | b |', '| c | d |'));
    expect(() => withRow(page(), 'other', ['c'])).toThrow('has no table named other');
  });

  it('runsLeft(page) counts the runs since the last one that failed', () => {
    const row = (condition: string, result = '9 passed, 0 failed, 1 skipped') =>
      `| 2026-01-01 10:00 | abc | ${condition} | 12 min | ${result} |`;
    expect(runsLeft(page())).toHaveLength(10);
    const left = runsLeft(page(row('quiet'), row('syncing')));
    expect([left.length, left.filter(name => name === 'quiet').length]).toEqual([8, 6]);
    expect(left).not.toContain('syncing');
    const failed = row('busy', '8 passed, 10 failed, 1 skipped');
    expect(runsLeft(page(row('quiet'), row('syncing'), failed, row('quiet')))).toHaveLength(9);
    expect(runsLeft(page(row('quiet'), row('quiet', 'killed')))).toHaveLength(10);
  });
});

describe('deliberate faults', () => {
  const faults = JSON.parse(readFileSync(join(project, 'test', 'faults', 'faults.json'), 'utf8')) as Fault[];

  it('each has its text once in its file, and tests that exist', () => {
    for (const fault of faults) {
      const source = readFileSync(join(project, fault.file), 'utf8');
      expect(withFault(source, fault)).not.toBe(source);
      expect(fault.tests.filter(path => !existsSync(join(project, path)))).toEqual([]);
    }
    const areas = [
      'attribution',
      'compare',
      'findings',
      'host',
      'importers',
      'job',
      'launch',
      'memory',
      'predictions',
      'proof',
      'replays',
      'reports',
      'runner',
      'webviews',
    ];
    expect([...new Set(faults.map(({area}) => area))].sort()).toEqual(areas);
    expect(faults.length).toBeGreaterThanOrEqual(60);
  });

  it('withFault(source, fault) puts it in as it is, and throws where the text is absent or ambiguous', () => {
    const fault = {file: 'a.ts', text: 'x < 1', replacement: "x > '$&'"};
    expect(withFault('if (x < 1) y();', fault)).toBe("if (x > '$&') y();");
    expect(() => withFault('if (x <= 1) y();', fault)).toThrow('a.ts has the text of a fault 0 times');
    expect(() => withFault('x < 1 || x < 1', fault)).toThrow('2 times');
  });
});

describe('testEnvironment(env)', () => {
  const shell = {
    ...{NODE_ENV: 'production', PYTHONOPTIMIZE: '2', RANK: '3', LOCAL_RANK: '1', WORLD_SIZE: '8', SLURM_PROCID: '3'},
    ...{PATH: '/bin', HOME: '/home/a', PYTHONPATH: '/opt/torch', GIT_DIR: '/home/a/.git', NODE_OPTIONS: '--inspect'},
  };
  const left = (env: Record<string, string>) =>
    Object.entries({...env, ...testEnvironment(env)}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const unsigned = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'];

  it('unsets options of Node and Python, other packages of Python, the repository of a hook and the rank of a job', () => {
    expect(left(shell)).toEqual(['PATH', 'HOME', ...unsigned]);
  });

  it('keeps the packages of a Python that the user names', () => {
    const named = {...shell, GPU_LENS_PYTHON: '/opt/python'};
    expect(left(named)).toEqual(['PATH', 'HOME', 'PYTHONPATH', 'GPU_LENS_PYTHON', ...unsigned]);
  });
});

describe('workersFor(options, cores, freeBytes)', () => {
  const gib = 2 ** 30;
  it.each([
    [{gib: 2}, 2, 20 * gib, 2],
    [{perCore: 2, gib: 1.5}, 2, 20 * gib, 4],
    [{perCore: 2, gib: 1.5}, 128, 2000 * gib, 32],
    [{perCore: 2, gib: 1.5}, 128, 16 * gib, 10],
    [{gib: 2}, 8, gib, 1],
  ])('%j with %d cores', (options, cores, freeBytes, workers) => {
    expect(workersFor(options, cores, freeBytes)).toBe(workers);
  });
});

describe('what the whole of npm test needs', () => {
  it.skipIf(process.platform === 'win32')('is programs on PATH', () => {
    const bin = temporaryFolder();
    expect(whyNoPrograms({PATH: bin})).toMatch(/^The tests need git and ps: install .*apt-get install git procps/);
    writeFileSync(join(bin, 'git'), '');
    expect(whyNoPrograms({PATH: bin})).toMatch(/^The tests need ps: install .*apt-get install procps/);
    writeFileSync(join(bin, 'ps'), '');
    expect(whyNoPrograms({PATH: bin})).toBeNull();
  });

  it('is a folder of temporary files in which programs start', () => {
    expect(whyNoProgramsIn()).toBeNull();
    // A file system of Linux that lets no program start.
    if (existsSync('/dev/shm')) {
      const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
      const lets = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(mounts);
      expect(whyNoProgramsIn('/dev/shm') === null).toBe(lets);
    }
  });
});
