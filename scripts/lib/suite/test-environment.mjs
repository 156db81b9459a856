// The environment of the tests: what they test must not depend on the user's shell.
import {unset} from '../run.mjs';

/** Options of Node, Python and terminals, the repository of a git hook, and the job whose rank the shell runs in. */
const unwanted = new RegExp(
  [
    'NODE_(ENV|OPTIONS)|VSCODE_INSPECTOR_OPTIONS|PYTHON(OPTIMIZE|WARNINGS)|FORCE_COLOR|CLICOLOR_FORCE',
    'GIT_(DIR|INDEX_FILE|WORK_TREE|PREFIX)|(LOCAL_|GROUP_)?(RANK|WORLD_SIZE)|(SLURM|OMPI|TORCHELASTIC)_.*',
  ]
    .map(names => `^(${names})$`)
    .join('|'),
);

/** Where another Python has its packages: one that the user has named may need them. */
const ofNamedPython = /^PYTHON(HOME|PATH)$/;

/** Commits of tests are not signed, whatever the user's git does. */
const unsigned = {GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'commit.gpgsign', GIT_CONFIG_VALUE_0: 'false'};

/** Returns the variables to set for tests; those to unset are undefined. */
export function testEnvironment(env = process.env) {
  const isUnwanted = name => unwanted.test(name) || (!env.GPU_LENS_PYTHON && ofNamedPython.test(name));
  return {...unset(Object.keys(env).filter(isUnwanted)), ...unsigned};
}
