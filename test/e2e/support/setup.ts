import {afterAll, afterEach} from 'vitest';
import {currentWorkbench} from './workbench.js';

// A setup file runs for each test file; the modules that it imports stay as they are from one file to the next.
afterAll(async () => {
  await currentWorkbench()?.close();
});

// What a test saw when it failed is worth more than its message.
afterEach(async ({task}) => {
  if (task.result?.state !== 'fail') return;
  const workbench = currentWorkbench();
  await workbench?.keepScreenshot(`failed-${task.name.replace(/[^\w]+/g, '-').slice(0, 60)}`).catch(() => undefined);
  const account = (await workbench?.account().catch(String)) ?? 'no window';
  // The account stands in the error, because a summary of a run has the errors and not what was printed before.
  for (const error of task.result.errors ?? []) {
    error.message += `\n${account}`;
    if (error.stack !== undefined) error.stack += `\n${account}`;
  }
});
