import {request, type IncomingMessage} from 'node:http';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {startCodeServer, type Server} from '../../scripts/lib/code-server.mjs';

describe('VS Code of npm start, from a terminal of somebody’s own code-server', () => {
  const home = mkdtempSync(join(tmpdir(), 'gpu-lens-code-server-'));
  const theirs = {
    ...{VSCODE_IPC_HOOK_CLI: '/nowhere/vscode.sock', CODE_SERVER_PARENT_PID: '1', LOG_LEVEL: 'error'},
    ...{CODE_SERVER_HOST: '0.0.0.0', PORT: '9', PASSWORD: 'theirs', XDG_CONFIG_HOME: home},
  };
  let server: Server;
  beforeAll(async () => {
    mkdirSync(join(home, 'code-server'));
    writeFileSync(join(home, 'code-server', 'config.yaml'), 'bind-addr: 0.0.0.0:9\ncert: true\npassword: theirs\n');
    for (const [name, value] of Object.entries(theirs)) vi.stubEnv(name, value);
    server = await startCodeServer({userData: join(home, 'user'), extensions: join(home, 'extensions')});
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    try {
      await server.stop();
    } finally {
      rmSync(home, {recursive: true, force: true, maxRetries: 5});
    }
  });

  const get = (path: string, options: RequestInit = {}) =>
    fetch(`${server.url}${path}`, {redirect: 'manual', ...options});
  const logIn = (password: string) => get('login', {method: 'POST', body: new URLSearchParams({password})});
  /** The status of a request for a websocket without a cookie. */
  const webSocketStatus = () =>
    new Promise((resolve, reject) => {
      const key = {'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13'};
      const asked = request(server.url, {headers: {connection: 'Upgrade', upgrade: 'websocket', ...key}});
      const answered = ({statusCode, socket}: IncomingMessage) => {
        socket.destroy();
        resolve(statusCode);
      };
      asked.on('response', answered).on('upgrade', answered).on('error', reject).end();
    });
  const cookie = () => `${server.cookie.name}=${server.cookie.value}`;

  it('listens on a free port of this machine alone', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d{2,}\/$/);
  });

  it('asks for its own password, and says where it is', async () => {
    const asked = await get('');
    expect([asked.status, asked.headers.get('location')]).toEqual([302, expect.stringContaining('login')]);
    expect(await (await get('login')).text()).toContain('The terminal that runs npm start shows the password.');
    expect([await webSocketStatus(), (await get('mint-key', {method: 'POST'})).status]).toEqual([401, 401]);
    expect((await logIn('theirs')).headers.get('set-cookie')).toBeNull();
    expect((await logIn(server.password)).headers.get('set-cookie')).toContain(cookie());
    expect((await get('', {headers: {cookie: cookie()}})).status).toBe(200);
  });
});
