import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {cli, run} from '../support/command-line.js';
import {temporaryFolder} from '../support/project.js';
import {skipTest} from '../support/skip-test.js';

const names =
  run('--help')
    .stdout.match(/^ {2}([\w-]+)(?= {2,}[A-Z])/gm)
    ?.map(name => name.trim()) ?? [];
const completed = (...words: string[]) =>
  run('completion', '--words', '--', ...words)
    .stdout.split('\n')
    .slice(0, -1);

describe('gpu-lens completion --words', () => {
  it('knows every command of the help', () => {
    expect(names).toContain('ranges');
    expect(completed('')).toEqual([...names, 'help', '--help', '--version']);
    expect(completed('co')).toEqual(['compare', 'completion']);
    expect(completed('help', 'cri')).toEqual(['critical-path']);
  });

  it('knows the options of a command that its help shows, no other', () => {
    expect(completed('profile', '--pr')).toEqual(['--profiler', '--prewarm']);
    expect(completed('profile', '--me')).toEqual(['--memory', '--memory-limit']);
    expect(completed('runs', '--')).toEqual(
      expect.arrayContaining(['--prune', '--pin', '--unpin', '--label', '--quiet']),
    );
  });

  it('knows what can stand behind an option, also where the shell takes "=" for a word', () => {
    expect(completed('ranges', 'a.json', '--by', '')).toEqual(['name', 'path', 'instance', 'line']);
    expect(completed('ranges', '--by', '=', 'p')).toEqual(['path']);
    expect(completed('flame', '--format', 's')).toEqual(['speedscope', 'svg']);
    expect(completed('profile', '--step', '')).toEqual(['auto', 'train', 'infer', 'window']);
    expect(completed('completion', 'z')).toEqual(['zsh']);
  });

  it('leaves files, and the command line of another program, to the shell', () => {
    expect(completed('ranges', '')).toEqual([]);
    expect(completed('ranges', '--source', '')).toEqual([]);
    expect(completed('profile', '--', 'python', '--st')).toEqual([]);
    expect(completed('nothing', '')).toEqual([]);
  });
});

describe('gpu-lens completion SHELL', () => {
  const bin = temporaryFolder();
  const program = join(bin, 'gpu-lens');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = {...process.env, PATH: [bin, process.env['PATH']].join(delimiter)};
  const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

  it('names the shells that there are', () => {
    expect(run('completion')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('one of bash, zsh, fish.') as string,
    });
    expect(run('completion', 'csh')).toMatchObject({status: 2, stdout: ''});
  });

  it('bash: a Tab behind an option finds its words', context => {
    if (!has('bash')) {
      skipTest(context, 'bash is not installed');
      return;
    }
    const tab = `COMP_WORDS=(gpu-lens ranges --by ''); COMP_CWORD=3; _gpu_lens; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const script = `${run('completion', 'bash').stdout}\ncomplete -p gpu-lens >&2\n${tab}`;
    expect(execFileSync('bash', ['--norc', '-c', script], {env, encoding: 'utf8', stdio: 'pipe'})).toBe(
      'name\npath\ninstance\nline\n',
    );
  });

  it('zsh: reads it without a fault', context => {
    if (!has('zsh')) {
      skipTest(context, 'zsh is not installed');
      return;
    }
    execFileSync('zsh', ['-f', '-c', `autoload -Uz compinit; compinit -D; ${run('completion', 'zsh').stdout}`], {env});
  });

  it('fish: finds what bash finds', context => {
    if (!has('fish')) {
      skipTest(context, 'fish is not installed');
      return;
    }
    const script = `${run('completion', 'fish').stdout}\ncomplete -C'gpu-lens ranges --by '`;
    expect(execFileSync('fish', ['--no-config', '-c', script], {env, encoding: 'utf8'})).toContain('instance');
  });
});

describe('gpu-lens help --man', () => {
  it('has the help of every command, and no line that troff takes for a request', () => {
    const page = run('help', '--man').stdout;
    for (const name of names) expect(page).toContain(`.SS ${name.replaceAll('-', '\\-')}\n`);
    const requests = page.split('\n').filter(line => /^[.']/.test(line));
    expect(requests.filter(line => !/^\.(TH GPU-LENS 1 |S[HS] |nf$|fi$)/.test(line))).toEqual([]);
  });

  it('is what man can show', context => {
    if (!String(spawnSync('man', ['--version']).stdout).includes('man 2.')) {
      skipTest(context, 'there is no man-db');
      return;
    }
    const shown = spawnSync('man', ['--local-file', '-'], {
      input: run('help', '--man').stdout,
      encoding: 'utf8',
      env: {...process.env, MANWIDTH: '200', LC_ALL: 'C.UTF-8'},
    });
    expect({status: shown.status, stderr: shown.stderr}).toEqual({status: 0, stderr: ''});
    expect(shown.stdout).toContain('Usage: gpu-lens ranges FILE [--by name|path|instance|line]');
  });
});
