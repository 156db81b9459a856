import {describe, expect, it} from 'vitest';
import {parseEnvFile} from '../../../src/launch/command/env-file.js';
import {canProfile, readLaunchConfiguration, variablesToAsk} from '../../../src/launch/command/launch-configuration.js';
import {substituteVariables} from '../../../src/launch/command/variables.js';

const values = {
  workspaceFolder: '/w/my project',
  file: '/w/my project/src/train.py',
  home: '/home/me',
  env: {SIZE: 'big'},
};
const python = {type: 'debugpy', request: 'launch', name: 'Train'};

describe('readLaunchConfiguration(configuration, values)', () => {
  it('runs a program as the debugger would: in the workspace folder, with its arguments and variables', () => {
    expect(
      readLaunchConfiguration(
        {
          ...python,
          program: '${workspaceFolder}/src/train.py',
          args: ['--size', '${env:SIZE}', 3],
          env: {OUT: '${userHome}/out', N: 4, TOKEN: '${env:TOKEN}'},
          envFile: '${workspaceFolder}/.env',
          preLaunchTask: 'make data',
          python: ['/venv/bin/python', '-X', 'dev'],
          console: 'integratedTerminal',
        },
        values,
      ),
    ).toEqual({
      definition: {
        type: 'gpu-lens',
        script: '/w/my project/src/train.py',
        args: ['--size', 'big', '3'],
        cwd: '/w/my project',
        // What the variable has may be a secret: it is looked up when the run begins.
        env: {OUT: '/home/me/out', N: '4', TOKEN: '${env:TOKEN}'},
        envFile: '/w/my project/.env',
        python: '/venv/bin/python',
      },
      preLaunchTask: 'make data',
    });
  });

  it('runs a module, in a folder that is named from the workspace’s', () => {
    const {definition} = readLaunchConfiguration(
      {
        ...python,
        module: 'pkg.train',
        args: '--name "two words"',
        cwd: 'src',
        python: '${command:python.interpreterPath}',
      },
      values,
    );
    expect(definition).toEqual({
      type: 'gpu-lens',
      module: 'pkg.train',
      args: ['--name', 'two words'],
      cwd: '/w/my project/src',
      env: {},
    });
  });

  it('runs the executable of a debugger of C++', () => {
    const {definition} = readLaunchConfiguration(
      {type: 'cppdbg', request: 'launch', program: 'build/bench', environment: [{name: 'A', value: '1'}, {name: 3}]},
      values,
    );
    expect(definition).toMatchObject({command: '/w/my project/build/bench', profiler: 'nsys', env: {A: '1'}});
  });

  it('says which variable only the debugger can ask for', () => {
    expect(() => readLaunchConfiguration({...python, program: 'a.py', args: ['${input:size}']}, values)).toThrow(
      'The launch configuration “Train” asks for ${input:size}, which only the debugger can: write a value in its place.',
    );
  });

  it('takes what the editor tells of its commands and settings', () => {
    const configuration = {
      ...{type: 'cppdbg', request: 'launch', name: 'Bench', program: '${command:cmake.launchTargetPath}'},
      args: ['${config:bench.size}', '${command:cmake.launchTargetPath}'],
    };
    expect(variablesToAsk(configuration)).toEqual(['command:cmake.launchTargetPath', 'config:bench.size']);
    const editor = new Map([
      ['command:cmake.launchTargetPath', '/w/build/bench'],
      ['config:bench.size', '3'],
    ]);
    const {definition} = readLaunchConfiguration(configuration, {...values, editor});
    expect(definition).toMatchObject({command: '/w/build/bench', args: ['3', '/w/build/bench']});
    expect(() => readLaunchConfiguration(configuration, values)).toThrow(
      'asks for ${command:cmake.launchTargetPath}, which has no value here: write a value in its place.',
    );
  });

  it('leaves no variable in a path, nor one of the editor’s anywhere', () => {
    const read = (members: object, file: string | null = values.file) =>
      readLaunchConfiguration({...python, ...members}, {...values, file}).definition;
    expect(() => read({program: '${file}'}, null)).toThrow('asks for ${file}, which has no value here');
    expect(() => read({program: '${workspaceFolder:other}/a.py'})).toThrow('asks for ${workspaceFolder:other}, which');
    expect(() => read({program: 'a.py', cwd: '${HOME}/x'})).toThrow('asks for ${HOME}, which has no value here');
    expect(() => read({program: 'a.py', args: ['${lineNumber}']})).toThrow('asks for ${lineNumber}, which');
    // What the program itself may make something of.
    expect(read({program: 'a.py', args: ['${x}']}).args).toEqual(['${x}']);
  });
});

it.each([
  [{...python, program: 'a.py'}, true],
  [{...python, module: 'a'}, true],
  [{...python}, false],
  [{...python, request: 'attach', program: 'a.py'}, false],
  [{type: 'lldb', request: 'launch', program: 'a'}, true],
  [{type: 'node', request: 'launch', program: 'a.js'}, false],
  [{type: 'lldb', request: 'launch', module: 'a'}, false],
  [null, false],
  [['launch'], false],
])('canProfile(%j) is %j', (configuration, expected) => {
  expect(canProfile(configuration)).toBe(expected);
});

it.each([
  ['${file}|${fileDirname}|${fileBasename}', '/w/my project/src/train.py|/w/my project/src|train.py'],
  ['${fileBasenameNoExtension}${fileExtname} ${relativeFile}', 'train.py src/train.py'],
  ['${workspaceFolderBasename} ${env:NONE}.', 'my project .'],
  ['$HOME ${HOME} ${unknown}', '$HOME ${HOME} ${unknown}'],
])('substituteVariables(%j) is %j', (text, expected) => {
  expect(substituteVariables(text, values)).toBe(expected);
});

it('substituteVariables(text, values) leaves variables of the file where there is none', () => {
  expect(substituteVariables('${file}', {...values, file: null})).toBe('${file}');
});

it('parseEnvFile(text) reads what debuggers read, and expands nothing', () => {
  const text = `\uFEFF# comment
A=1
export B = two words # said
C="line\\nnext # no comment" # comment
D='$HOME \\n'
E=
not a line
F=a=b
HF_TOKEN=ab#cd # said
G=# nothing
H="ab#cd"# said
I="a
`;
  expect(parseEnvFile(text)).toEqual({
    A: '1',
    B: 'two words',
    C: 'line\nnext # no comment',
    D: '$HOME \\n',
    E: '',
    F: 'a=b',
    HF_TOKEN: 'ab#cd',
    G: '',
    H: 'ab#cd',
    I: '"a',
  });
});
