import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {pipFailure} from '../../scripts/lib/pip.mjs';
import {hasDesktop, whyNoServer, whyNotWritable, whyOldDesktop} from '../../scripts/lib/preflight.mjs';
import {downloadSize} from '../../scripts/lib/venv.mjs';
import {project, temporaryFolder} from '../support/project.js';

const root = temporaryFolder();
// A space in the path, as many people have.
const clone = join(root, 'my clone');
const home = join(root, 'home');
const noDownload = 'http://127.0.0.1:9/';

/** Programs of the machine that the scripts look for. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'bin-'));
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** A script of a clone with nothing installed, on a machine that has nothing but the programs of `path`. */
function start(args: readonly string[], {env = {}, path = ''}: {env?: Record<string, string>; path?: string} = {}) {
  const {status, stdout, stderr} = spawnSync(process.execPath, ['scripts/on-node.cjs', ...args], {
    cwd: clone,
    encoding: 'utf8',
    env: {
      PATH: path,
      HOME: home,
      npm_config_registry: noDownload,
      npm_config_cache: join(home, '.npm'),
      npm_config_fetch_retries: '0',
      // npm lies beside the node of the machine, not beside that of the tests.
      npm_execpath: npmOfTests(),
      ...env,
    },
  });
  return {status, stdout, stderr};
}

function npmOfTests(): string {
  const links = (process.env['PATH'] ?? '').split(':').map(folder => join(folder, 'npm'));
  const link = links.find(path => existsSync(path));
  const found = spawnSync('readlink', ['-f', link ?? ''], {encoding: 'utf8'}).stdout.trim();
  return process.env['npm_execpath'] ?? found;
}

// Elsewhere Chrome lies in a folder that PATH does not name, and /dev/null is no file.
describe.skipIf(process.platform !== 'linux')('npm start and npm test, before anything is downloaded', () => {
  beforeAll(() => {
    mkdirSync(home);
    for (const name of ['scripts', 'package.json', 'package-lock.json', 'media']) {
      cpSync(join(project, name), join(clone, name), {recursive: true});
    }
  });

  const code = (version: string) => programs({code: `echo ${version}`});
  const tools = () => programs({git: '', ps: ''});
  it.each<[string, string[], {env?: Record<string, string>; path?: string}, RegExp]>([
    ['HOME cannot be written', ['start', '--browser'], {env: {HOME: '/dev/null'}}, /^Your home folder.*set HOME to/],
    [
      'TMPDIR is not there',
      ['start', '--browser'],
      {env: {TMPDIR: '/nowhere'}},
      /^The folder of temporary files.*set TMPDIR/,
    ],
    [
      'VS Code is too old',
      ['start'],
      {path: code('1.90.2'), env: {DISPLAY: ':0'}},
      /^GPU Lens needs VS Code 1\.\d+\.0 or later, and "code" is 1\.90\.2: update/,
    ],
    [
      'the named Chromium is absent',
      ['start', '--check'],
      {env: {GPU_LENS_CHROMIUM: '/nowhere/chromium'}},
      /^GPU_LENS_CHROMIUM names \/nowhere\/chromium, which is not there: /,
    ],
    [
      'the named Chromium does not start',
      ['start', '--check'],
      {env: {GPU_LENS_CHROMIUM: '/bin/false'}},
      /^GPU_LENS_CHROMIUM names \/bin\/false, which does not start: /,
    ],
    [
      'there is no Chromium',
      ['start', '--check'],
      {},
      /^The check in the browser needs Chromium or Chrome: install it/,
    ],
    ['there is neither git nor ps', ['test'], {path: programs({python3: ''})}, /^The tests need git and ps: install/],
    [
      'there is no Python',
      ['test'],
      {path: tools()},
      /^The runner’s tests need Python 3\.11 to 3\.14 with venv: install it/,
    ],
    [
      'the named Python has no torch',
      ['test'],
      {env: {GPU_LENS_PYTHON: '/bin/echo'}, path: tools()},
      /^GPU_LENS_PYTHON lacks torch, .*-m pip install torch/,
    ],
  ])('say it in one sentence where %s', (_, args, options, sentence) => {
    const env = args[0] === 'test' && options.env?.['GPU_LENS_PYTHON'] ? {GPU_LENS_PYTHON: bareInterpreter()} : {};
    const {status, stdout, stderr} = start(args, {...options, env: {...options.env, ...env}});
    expect(stderr).toMatch(sentence);
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  /** A Python whose environments have a pip that runs this. */
  const pythonWithPip = (pip: string) => {
    const python = join(programs({python: pip}), 'python');
    return programs({
      python3: `[ "$2" = venv ] || exit 0; /bin/mkdir -p "$4/bin"; /bin/ln -sf '${python}' "$4/bin/python"`,
    });
  };
  const versions = (name: string, list: string) =>
    [
      `echo 'ERROR: Could not find a version that satisfies the requirement ${name}==0 (from versions: ${list})'`,
      `echo 'ERROR: No matching distribution found for ${name}==0'; exit 1`,
    ].join('; ');
  const hasTorch = versions('torch', '2.12.0, 2.13.0+cpu, 2.14.1');
  /** All is well until Chromium is looked for, the check after that of Python. */
  const wentOn = /^GPU_LENS_CHROMIUM names \/nowhere\/chromium/;
  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'pip does not reach its index',
      `echo 'WARNING: Retrying … NewConnectionError(…)'; ${versions('torch', 'none')}`,
      {},
      /^pip cannot reach its index/,
    ],
    ['pip’s index has no torch', versions('torch', 'none'), {}, /^pip’s index has no torch==[\d.]+ for this Python/],
    ['it has another torch', versions('torch', '2.1.0, 2.14.1'), {}, /^pip’s index has no torch==2\.13\.0 for/],
    ['pip says something else', 'echo no such option; exit 2', {}, wentOn],
    ['it has torch', hasTorch, {}, wentOn],
    [
      'torch has an index of its own, and pip’s is not reached',
      `case "$*" in *--index-url*) ${hasTorch};; esac; echo 'ProxyError(…)'; ${versions('ipython', 'none')}`,
      {GPU_LENS_TORCH_INDEX: 'https://example.org/cpu'},
      /^pip cannot reach its index/,
    ],
    [
      'both are reached',
      `case "$*" in *--index-url\\ https://example.org/cpu*) ${hasTorch};; esac; ${versions('ipython', '9.17.1')}`,
      {GPU_LENS_TORCH_INDEX: 'https://example.org/cpu'},
      wentOn,
    ],
  ])('ask pip’s index: %s', (_, pip, index, sentence) => {
    const env = {...index, GPU_LENS_CHROMIUM: '/nowhere/chromium'};
    const {status, stdout, stderr} = start(['test'], {path: `${tools()}:${pythonWithPip(pip)}`, env});
    expect(stderr).toMatch(sentence);
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, 'Making a Python environment …\n', 1]);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('say it in one sentence where Python cannot make an environment', () => {
    const python = programs({python3: `[ "$2" = venv ] || exit 0; echo Traceback; echo 'Error: full'; exit 1`});
    const {status, stderr} = start(['test'], {path: `${tools()}:${python}`});
    expect(stderr).toMatch(/^Python could not make .*venv \(Error: full\): remove that folder, and start again\.\n$/);
    expect(status).toBe(1);
  });

  /** Stands in for a Python that finds nothing. */
  const bareInterpreter = () =>
    join(programs({python: `echo "['torch', 'numpy', 'pytest', 'xdist', 'ruff']"`}), 'python');

  it.each<[string, string[], Parameters<typeof start>[1]]>([
    ['', ['start', '--browser'], {}],
    // Whatever the version of `code`: it would install into the everyday profile.
    [
      ', also in a terminal of a remote window',
      ['start'],
      {path: code('1.90.2'), env: {DISPLAY: ':0', VSCODE_IPC_HOOK_CLI: '/run/a.sock'}},
    ],
  ])('say it in one sentence where npm reaches no registry%s', (_, args, options) => {
    const {status, stdout, stderr} = start(args, options);
    expect(stderr).toMatch(/^npm cannot reach its registry: check the network and, behind a proxy, set it with/);
    expect([status, stdout, stderr.trimEnd().split('\n').length]).toEqual([
      1,
      expect.stringMatching(/^Installing dependencies .*\n$/),
      1,
    ]);
  });
});

describe('whyNotWritable(name, folder, remedy)', () => {
  it('is null where it can be written, and leaves nothing there', () => {
    const folder = join(root, 'good');
    mkdirSync(folder);
    expect(whyNotWritable('It', folder, 'mend it')).toBeNull();
    expect(existsSync(join(dirname(folder), 'good', '.gpu-lens-'))).toBe(false);
  });

  it('names the folder and the cause', () => {
    expect(whyNotWritable('It', join(root, 'absent'), 'mend it')).toBe(
      `It, ${join(root, 'absent')}, cannot be written (ENOENT): mend it.`,
    );
  });
});

it.each([
  ['/home/a b/gpu lens é', null],
  ['/home/a/C#/gpu-lens', expect.stringContaining('has a "#", with which VS Code in the browser does not start: move')],
  ['/home/100%/gpu-lens', expect.stringContaining('has a "%"')],
])('whyNoServer(%j)', (path, answer) => {
  expect(whyNoServer('', path, 'linux')).toEqual(answer);
});

it('whyNoServer says what to do on Windows, which it has no version for', () => {
  const sentence = 'VS Code in the browser does not run on Windows: run it elsewhere.';
  expect(whyNoServer('run it elsewhere', 'C:\\gpu-lens', 'win32')).toBe(sentence);
});

describe('hasDesktop(env, platform)', () => {
  it.each([
    [{DISPLAY: ':0'}, 'linux', true],
    [{WAYLAND_DISPLAY: 'wayland-0'}, 'linux', true],
    [{}, 'linux', false],
    [{WAYLAND_DISPLAY: 'wayland-0', WSL_DISTRO_NAME: 'Debian'}, 'linux', false],
    [{DISPLAY: ':0', VSCODE_IPC_HOOK_CLI: '/run/a.sock'}, 'linux', false],
    [{}, 'darwin', true],
    [{SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22'}, 'darwin', false],
  ])('%j on %s', (env: Record<string, string>, platform, has) => {
    expect(hasDesktop(env, platform)).toBe(has);
  });
});

describe('whyOldDesktop(version, required)', () => {
  it.each([
    ['1.101.0', null],
    ['1.102.3', null],
    ['2.0.0', null],
    ['1.100.9', expect.stringContaining('"code" is 1.100.9')],
    ['0.200.0', expect.stringContaining('"code" is 0.200.0')],
  ])('%s', (version, answer) => {
    expect(whyOldDesktop(version, '1.101.0')).toEqual(answer);
  });

  it('advises the browser only where VS Code has a server', () => {
    expect(whyOldDesktop('1.90.0', '1.101.0', 'linux')).toContain('npm start -- --browser');
    expect(whyOldDesktop('1.90.0', '1.101.0', 'win32')).not.toContain('--browser');
  });
});

describe('downloadSize(index, platform)', () => {
  it('warns of the large torch of Linux, and of where to read of the small one', () => {
    expect(downloadSize(undefined, 'linux')).toMatch(/up to 3 GB.*GPU_LENS_TORCH_INDEX in CONTRIBUTING\.md/);
    expect(downloadSize(undefined, 'darwin')).toMatch(/about 300 MB/);
    expect(downloadSize('https://example.org/cpu', 'linux')).toContain('torch from https://example.org/cpu');
  });
});

describe('pipFailure(output)', () => {
  it.each([
    [
      'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device',
      /^The disk or your share of it is full/,
    ],
    ['OSError: [Errno 122] Disk quota exceeded', /^The disk or your share of it is full/],
    [
      'WARNING: Retrying … SSLError(…)\nERROR: No matching distribution found for torch',
      /^pip does not trust the certificate of its index/,
    ],
    [
      'WARNING: Retrying … NewConnectionError(…)\nERROR: No matching distribution found for torch',
      /^pip cannot reach its index/,
    ],
    ['ERROR: No matching distribution found for torch==2.13.0', /^pip’s index has no torch==2\.13\.0 for this Python/],
    ['ERROR: something else', /^pip failed:\nERROR: something else$/],
  ])('%s', (output, sentence) => {
    expect(pipFailure(output)).toMatch(sentence);
  });
});
