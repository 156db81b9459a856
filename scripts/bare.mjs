// npm run test:bare [-- --test]: starts GPU Lens as on a bare machine.
//
// Uses a copy of only the checkout in a folder with a space, an empty HOME, an ordinary user (nobody, if this runs as
// root), no npm configuration, and no make, compiler, Python, git or ps on PATH. There `npm start -- --check` must
// pass, pass again within seconds without installing anything, install and build all again with settings that could
// break it, and leave nothing running, even if Chromium fails. --test runs `npm test -- --quick` there, too, and the
// other unit tests that read real profiles: without a data folder.
import {spawn, spawnSync} from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {root, say} from './lib/run.mjs';
import {SetupError} from './lib/setup-error.mjs';

if (process.platform !== 'linux')
  throw new SetupError('npm run test:bare needs Linux: it hides programs by their links.');

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-bare-'));
const clone = join(folder, 'my clone é');
const home = join(folder, 'home');
const programs = join(folder, 'bin');
const temporary = join(folder, 'tmp');
/** Says its version, and fails at everything else. */
const brokenChromium = join(programs, 'broken-chromium');
/** Programs that a newcomer's machine need not have. */
const hidden =
  /^(make|gmake|cmake|ninja|cc|c\+\+|cpp|gcc|g\+\+|clang|ld|as|python|pip|pyenv|node-gyp|code|nvidia|nsys|git|ps)/;
const ordinary = process.getuid() === 0 ? {uid: 65534, gid: 65534} : {};

/** Settings of a shared server that could break the start: npm's, and those of a terminal of a code-server. */
const obstacles = {
  ...{NODE_ENV: 'production', npm_config_omit: 'optional', npm_config_ignore_scripts: 'true'},
  ...{npm_config_engine_strict: 'true', VSCODE_IPC_HOOK_CLI: '/nowhere/vscode.sock', CODE_SERVER_PARENT_PID: '1'},
  ...{CODE_SERVER_HOST: '0.0.0.0', PORT: '9', LOG_LEVEL: 'error', XDG_RUNTIME_DIR: '/nowhere', LANG: 'C'},
};

for (const path of [clone, home, programs, temporary]) mkdirSync(path);
try {
  copyCheckout();
  linkPrograms();
  writeFileSync(brokenChromium, '#!/bin/sh\n[ "$1" = --version ]\n', {mode: 0o755});
  if (ordinary.uid) must('chown', ['-R', `${ordinary.uid}:${ordinary.gid}`, folder]);
  must('chmod', ['755', folder]);
  if ((await npm(['config', 'get', 'nodedir'])).output.trim() !== 'undefined') {
    throw new SetupError(
      'npm has a nodedir here, which hides what a newcomer meets: unset it in npm’s global configuration.',
    );
  }
  chmodSync(clone, 0o555);
  await expectRun('npm start, where the checkout cannot be written', ['start'], {
    fails: true,
    shows: ['The checkout, ', 'cannot be written (EACCES): make it yours'],
    lacks: ['Installing', '    at '],
  });
  chmodSync(clone, 0o755);
  await expectRun('npm start -- --check', ['start', '--', '--check'], {shows: ['The extension is active', 'CodeLens']});
  await expectRun('the second npm start -- --check', ['start', '--', '--check'], {
    shows: ['The extension is active'],
    lacks: ['Installing', 'Building'],
  });
  for (const made of ['node_modules', 'out', 'dist']) rmSync(join(clone, made), {recursive: true});
  await expectRun('npm start -- --check, with settings that could break it', ['start', '--', '--check'], {
    shows: ['Installing', 'Building', 'The extension is active'],
    env: obstacles,
  });
  await expectRun('npm start -- --check, where Chromium fails', ['start', '--', '--check'], {
    fails: true,
    shows: [`${brokenChromium} does not start`],
    lacks: ['    at '],
    env: {GPU_LENS_CHROMIUM: brokenChromium},
  });
  if (process.argv.includes('--test')) {
    await expectRun('npm test -- --quick', ['test', '--', '--quick'], {
      shows: [' 0 failed', 'The real profiles are not at'],
    });
    // A quick run leaves out most of them.
    await expectRun(
      'the tests of real profiles, where there are none',
      ['exec', '--', 'vitest', 'run', ...testsOfData()],
      {
        shows: ['The real profiles are not at'],
      },
    );
  }
  say('All of it works on a bare machine.');
} finally {
  rmSync(folder, {recursive: true, force: true, maxRetries: 5});
}

/** The files that git tracks or does not ignore. */
function checkoutFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {cwd: root});
  return listed.stdout
    .toString()
    .split('\0')
    .filter(path => path !== '' && existsSync(join(root, path)));
}

/** Copies the checkout in its present state. */
function copyCheckout() {
  for (const path of checkoutFiles()) cpSync(join(root, path), join(clone, path));
}

/** Makes a folder with links to the programs on PATH, except the hidden ones; the first of a name counts. */
function linkPrograms() {
  const links = new Set();
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)];
  for (const from of folders.filter(path => existsSync(path) && !path.startsWith(root))) {
    for (const name of readdirSync(from)) {
      if (hidden.test(name) || links.has(name)) continue;
      links.add(name);
      symlinkSync(join(from, name), join(programs, name));
    }
  }
}

/** The unit tests that read the folder of real profiles. */
function testsOfData() {
  const tests = checkoutFiles().filter(path => /^test\/.*(?<!\.long)\.test\.ts$/.test(path));
  const readsData = /\/support\/(real-data|each-file|seeds)\.js'/;
  return tests.filter(path => readsData.test(readFileSync(join(root, path), 'utf8')));
}

/** Runs npm as the ordinary user; resolves with its status and output. */
function npm(args, env = {}) {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|npm_config_registry|npm_config_cafile|node_extra_ca_certs|ssl_cert_file)$/i.test(name),
  );
  const child = spawn('npm', args, {
    ...ordinary,
    cwd: clone,
    env: {...Object.fromEntries(kept), PATH: programs, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', status => resolve({status, output}));
  });
}

async function expectRun(name, args, {shows = [], lacks = [], fails = false, env = {}}) {
  const start = Date.now();
  const {status, output} = await npm(args, env);
  const seconds = ((Date.now() - start) / 1000).toFixed(0);
  const faults = [
    ...((status !== 0) === fails ? [] : [`it ended with ${status}`]),
    ...shows.filter(text => !output.includes(text)).map(text => `it does not show "${text}"`),
    ...lacks.filter(text => output.includes(text)).map(text => `it shows "${text}"`),
    ...leftRunning().map(line => `it left running: ${line}`),
  ];
  if (faults.length > 0)
    throw new SetupError(`${output.trimEnd()}\nFAILED after ${seconds} s: ${name}: ${faults.join('; ')}`);
  say(`ok: ${name} (${seconds} s)`);
}

/** Returns the command lines of processes that run a program of the folder. */
function leftRunning() {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter(line => line.includes(folder));
}

function must(program, args) {
  const {status, stderr} = spawnSync(program, args, {encoding: 'utf8'});
  if (status !== 0) throw new SetupError(`${program} failed: ${stderr}`);
}
