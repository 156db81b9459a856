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
  const errors = task.result.errors?.map(({message}) => message).join('\n') ?? '';
  const account = (await workbench?.account().catch(String)) ?? 'no window';
  console.log(`When "${task.name}" failed: ${errors}\n${account}`);
});
