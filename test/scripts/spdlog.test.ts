import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';

interface Logger {
  setLevel(level: number): void;
  setPattern(pattern: string): void;
  clearFormatters(): void;
  debug(message: string): void;
  info(message: string): void;
  error(message: string): void;
  flush(): void;
  drop(): void;
}

const spdlog = createRequire(import.meta.url)(join(project, 'scripts', 'lib', 'spdlog.cjs')) as {
  createAsyncRotatingLogger(name: string, path: string, maximumBytes: number, fileCount: number): Promise<Logger>;
};
const folder = temporaryFolder();

describe('the log of code-server', () => {
  it('shows its names to a module that imports it, as VS Code does', () => {
    const url = pathToFileURL(join(project, 'scripts', 'lib', 'spdlog.cjs')).href;
    const program = `console.log(Object.keys(await import(${JSON.stringify(url)})).join())`;
    const {stdout} = spawnSync(process.execPath, ['--input-type=module', '-e', program], {encoding: 'utf8'});
    expect(stdout.trim().split(',')).toEqual(expect.arrayContaining(['createAsyncRotatingLogger', 'setFlushOn']));
  });

  it('has lines of the level and above, with time and level, at once', async () => {
    const path = join(folder, 'new', 'a.log');
    const logger = await spdlog.createAsyncRotatingLogger('a', path, 1000, 1);
    logger.setPattern('%Y-%m-%d %H:%M:%S.%e [%l] %v');
    logger.debug('left out');
    logger.info('begins');
    logger.error('failed');
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[info\] begins$/),
      expect.stringMatching(/ \[error\] failed$/),
      '',
    ]);
  });

  it('has messages alone where formatters are cleared, and none once it is dropped', async () => {
    const path = join(folder, 'b.log');
    const logger = await spdlog.createAsyncRotatingLogger('b', path, 1000, 1);
    logger.clearFormatters();
    logger.info('as it is\n');
    logger.drop();
    logger.info('too late');
    expect(readFileSync(path, 'utf8')).toBe('as it is\n');
  });

  it('goes on in a new file when one is full, and keeps as many as it should', async () => {
    const logger = await spdlog.createAsyncRotatingLogger('c', join(folder, 'c.log'), 10, 2);
    logger.clearFormatters();
    for (const text of ['11111111', '22222222', '33333333', '44444444']) logger.info(text);
    const files = readdirSync(folder)
      .filter(name => name.startsWith('c.'))
      .sort();
    expect(files.map(name => [name, readFileSync(join(folder, name), 'utf8')])).toEqual([
      ['c.1.log', '33333333'],
      ['c.2.log', '22222222'],
      ['c.log', '44444444'],
    ]);
  });
});
