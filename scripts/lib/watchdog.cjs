// node watchdog.cjs PID: kills a process and its group when the input of this program closes without "done".
'use strict';
const {spawnSync} = require('node:child_process');

const pid = Number(process.argv[2]);
let said = '';
process.stdin.on('data', data => (said += data));
process.stdin.on('close', () => {
  if (said === 'done') return;
  try {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {stdio: 'ignore'});
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
});
