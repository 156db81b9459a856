import {afterAll, afterEach} from 'vitest';
import {currentWorkbench} from './workbench.js';

// A setup file runs for each test file, but its imported modules stay loaded from one file to the next.
afterAll(async () => {
  await currentWorkbench()?.close();
});

// The state of the window when a test failed is worth more than its message.
afterEach(async ({task}) => {
  if (task.result?.state !== 'fail') return;
  const workbench = currentWorkbench();
  await workbench?.keepScreenshot(`failed-${task.name.replace(/[^\w]+/g, '-').slice(0, 60)}`).catch(() => undefined);
  const account = (await workbench?.account().catch(String)) ?? 'no window';
  // The account is added to the error, because a run's summary contains the errors and not earlier output.
  for (const error of task.result.errors ?? []) {
    error.message += `\n${account}`;
    if (error.stack !== undefined) error.stack += `\n${account}`;
  }
});
