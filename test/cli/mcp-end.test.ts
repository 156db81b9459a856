import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {cli} from '../support/command-line.js';
import {patience} from '../support/patience.js';
import {temporaryFolder} from '../support/project.js';

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

/** A server that runs a script for its client, and the script's process: it would run for an hour. */
async function busyServer(): Promise<{readonly server: ChildProcess; readonly scriptPid: number}> {
  const folder = temporaryFolder();
  const pidFile = join(folder, 'pid');
  const waits = `require('fs').writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 3600e3);`;
  writeFileSync(join(folder, 'wait.js'), waits);
  const args = [cli, 'mcp', '--root', folder, '--allow-run', 'node wait.js'];
  const server = spawn(process.execPath, args, {stdio: ['pipe', 'ignore', 'ignore']});
  started.push(server.pid ?? 0);
  const clientInfo = {name: 'test', version: '1'};
  for (const message of [
    {id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo}},
    {method: 'notifications/initialized'},
    {id: 2, method: 'tools/call', params: {name: 'profile', arguments: {command: ['node', 'wait.js']}}},
  ])
    server.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
  const isThere = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '';
  await vi.waitFor(() => {
    expect(isThere()).toBe(true);
  }, patience);
  const scriptPid = Number(readFileSync(pidFile, 'utf8'));
  started.push(scriptPid);
  return {server, scriptPid};
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('gpu-lens mcp, while a tool runs something', () => {
  it.each(['the client is gone', 'it is ended'])('ends that where %s', async how => {
    const {server, scriptPid} = await busyServer();
    expect(isAlive(scriptPid)).toBe(true);
    if (how === 'it is ended') server.kill('SIGTERM');
    else server.stdin?.end();
    await once(server, 'exit');
    await vi.waitFor(() => {
      expect(isAlive(scriptPid)).toBe(false);
    }, patience);
  });
});
