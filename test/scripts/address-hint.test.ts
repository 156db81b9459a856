import {describe, expect, it} from 'vitest';
import {addressHint} from '../../scripts/lib/address-hint.mjs';

describe('addressHint(port, env, isInContainer, host)', () => {
  const ssh = {SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22', USER: 'ada'};
  it.each([
    [{}, false, null],
    [ssh, false, expect.stringMatching(/run this there first: ssh -L 80:127\.0\.0\.1:80 ada@gpu$/)],
    [
      {SLURM_JOB_ID: '7', SLURM_SUBMIT_HOST: 'login', USER: 'ada'},
      false,
      expect.stringMatching(/: ssh -J login -L 80:127\.0\.0\.1:80 ada@gpu$/),
    ],
    // A container with a server of ssh, as GPUs are rented.
    [ssh, true, expect.stringContaining('ssh -L')],
    [{}, true, expect.stringContaining('--network host')],
    [{...ssh, TERM_PROGRAM: 'vscode', VSCODE_IPC_HOOK_CLI: '/run/a.sock'}, true, expect.stringContaining('Ctrl+click')],
    // tmux, begun in such a window and attached elsewhere.
    [{...ssh, TERM_PROGRAM: 'tmux', VSCODE_IPC_HOOK_CLI: '/run/a.sock'}, false, expect.stringContaining('ssh -L')],
  ])('%j, in a container: %s', (env: Record<string, string>, isInContainer, hint) => {
    expect(addressHint('80', env, isInContainer, 'gpu')).toEqual(hint);
  });
});
