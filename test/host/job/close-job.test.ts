import {expect, it, vi} from 'vitest';
import type {ActiveJob} from '../../../src/host/profiles/job-store.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {closeJobCommand} = await import('../../../src/host/job/create-job-services.js');

it('closes the job of a row or the active one, and no other in place of one that is closed already', async () => {
  const [earlier, active] = [{name: 'earlier'} as ActiveJob, {name: 'active'} as ActiveJob];
  const close = vi.fn();
  const command = closeJobCommand({active, close});
  await command({job: earlier});
  await command(undefined);
  expect(close).not.toHaveBeenCalled();
  await command({job: active});
  await command();
  expect(close).toHaveBeenCalledTimes(2);
});
