import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, expect, it, vi} from 'vitest';
import {project, temporaryFolder} from '../../support/project.js';
import {writeRecordingStandIn} from '../../support/recording-stand-in.js';
import {skipTest} from '../../support/skip-test.js';
import {patience} from '../../support/patience.js';

const folder = temporaryFolder();
const sshd = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(path => existsSync(path));
const servers: {kill(): void}[] = [];

afterAll(() => {
  for (const server of servers) server.kill();
});

it('gpu-lens profile records on another machine by ssh, as docs/other-machines.md says', async context => {
  if (sshd === undefined) {
    skipTest(context, 'needs an ssh server: sudo apt-get install openssh-server');
    return;
  }
  const key = join(folder, 'key');
  for (const path of [key, join(folder, 'host')])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path]);
  const port = await startServer(sshd);
  const options = [
    ...['-i', key, '-o', `Port=${String(port)}`, '-o', 'BatchMode=yes'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
  ];
  await vi.waitFor(() => {
    expect(spawnSync('ssh', [...options, '127.0.0.1', 'true']).status).toBe(0);
  }, patience);

  const there = join(folder, 'there');
  mkdirSync(there);
  const template = {
    folder: `${there}/{id}`,
    carry: ['scp', '-q', '-r', ...options, '{recorder}', '127.0.0.1:{folder}'],
    run: ['ssh', '-tt', ...options, '127.0.0.1', '{commandLine}'],
    cancel: ['ssh', ...options, '127.0.0.1', "pkill -TERM -f -- '[-]-out {folder}/run'"],
    fetch: ['scp', '-q', '-r', ...options, '127.0.0.1:{folder}/run/.', '{runFolder}'],
    clean: ['ssh', ...options, '127.0.0.1', 'rm -r {folder}'],
  };
  const file = join(folder, 'template.json');
  writeFileSync(file, JSON.stringify(template));
  const {status, stderr} = spawnSync(
    process.execPath,
    [
      ...[join(project, 'dist', 'cli.cjs'), 'profile', '--launch-template', file],
      ...['-o', join(folder, 'out'), '--', 'python3', writeRecordingStandIn(folder), '0'],
    ],
    {encoding: 'utf8', cwd: folder},
  );
  expect(status, stderr).toBe(0);
  const runs = join(folder, 'out', 'runs');
  const [run = ''] = readdirSync(runs);
  expect(readdirSync(join(runs, run)).sort()).toEqual(['events.jsonl', 'steps.pt.trace.json']);
  expect(readFileSync(join(folder, 'cwd.txt'), 'utf8')).toBe(folder);
  expect(readdirSync(there)).toEqual([]);
});

async function startServer(program: string): Promise<number> {
  // Where sshd runs as root it wants this folder, which only its service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', {recursive: true});
  const port = await freePort();
  const config = join(folder, 'sshd_config');
  writeFileSync(
    config,
    `ListenAddress 127.0.0.1:${String(port)}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'key.pub')}
StrictModes no
PidFile none
Subsystem sftp internal-sftp
`,
  );
  servers.push(spawn(program, ['-D', '-e', '-f', config], {stdio: 'ignore'}));
  return port;
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
