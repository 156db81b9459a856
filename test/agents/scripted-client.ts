import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import type {Proof} from '../../src/core/prove/proof.js';
import {cli} from '../support/command-line.js';
import {rewrites} from './rewrites.js';

/** A row that `lines` answers. */
interface LineRow {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cpuWallNs: number;
  readonly cpuSelfNs: number;
}

/** Where the client thinks that the time goes. */
export interface Suspect {
  readonly file: string;
  readonly line: number;
}

const longestMs = 1_500_000;
/** Of a line that calls others less is its own. */
const ownPart = 0.5;

/**
 * A client without a model: it profiles a script, asks where the time goes, and mends the first of these lines that one of
 * its general rewrites fits. It reads of the script what the tools have named, and nothing else leads it.
 */
export class ScriptedClient {
  private constructor(
    private readonly client: Client,
    private readonly folder: string,
    private readonly command: readonly string[],
  ) {}

  /** Starts the built server, which may run the command in the folder. */
  static async start(folder: string, command: readonly string[]): Promise<ScriptedClient> {
    const client = new Client({name: 'scripted', version: '1'});
    const allowed = command.map(word => JSON.stringify(word)).join(' ');
    const args = [cli, 'mcp', '--root', folder, '--allow-run', allowed];
    await client.connect(new StdioClientTransport({command: process.execPath, args, cwd: folder}));
    return new ScriptedClient(client, folder, command);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** Mends one line of the script; returns the name of the way, null where nothing was found. */
  async mend(): Promise<string | null> {
    for (const {file, line} of await this.suspects()) {
      const path = join(this.folder, file);
      const lines = readFileSync(path, 'utf8').split('\n');
      for (const {name, apply} of rewrites) {
        const mended = apply(lines, line - 1);
        if (!mended) continue;
        writeFileSync(path, mended.join('\n'));
        return name;
      }
    }
    return null;
  }

  /** Lines in the order of what they cost, from findings and figures of lines. */
  async suspects(): Promise<readonly Suspect[]> {
    const profile = await this.profile({});
    const findings = await this.ask<{file: string | null; line: number | null}>('findings', {file: profile});
    const lines = await this.ask<LineRow>('lines', {file: profile});
    const [most] = lines;
    const isOutsideTorch = most !== undefined && most.cpuSelfNs > ownPart * most.cpuWallNs && isLoop(lines);
    return [
      ...[...findings, ...(isOutsideTorch ? await this.functions() : [])],
      ...lines.toSorted((a, b) => b.cpuSelfNs - a.cpuSelfNs),
    ].flatMap(({file, line}) => (file === null || line === null ? [] : [{file, line}]));
  }

  /** Proves the last commit against the one before. */
  async prove(more: Readonly<Record<string, unknown>>): Promise<Proof> {
    const {data} = await this.call('prove', {base: 'HEAD~1', changed: 'HEAD', command: this.command, ...more});
    return data as Proof;
  }

  /** Functions of the script's own with most time in built-in functions below them, from Python stacks. */
  private async functions(): Promise<readonly Suspect[]> {
    const rows = await this.ask<LineRow>('lines', {
      file: await this.profile({stack: true}),
      functions: true,
      limit: 400,
    });
    return rows
      .toSorted((a, b) => b.cpuSelfNs - a.cpuSelfNs)
      .flatMap(({path}) => {
        // The outermost frame is the script itself.
        const own = [...(path ?? '').matchAll(/(?:^|\/)(\w+\.py)\((\d+)\): (?!<module>)/g)].at(-1);
        const file = own?.[1] ?? '';
        return own && existsSync(join(this.folder, file)) ? [{file, line: Number(own[2])}] : [];
      });
  }

  private async profile(more: Readonly<Record<string, unknown>>): Promise<string> {
    const [profile] = await this.ask<{path: string}>('profile', {command: this.command, ...more});
    if (!profile) throw new Error('Nothing was recorded.');
    return profile.path;
  }

  /** Rows that a tool answers, with what stands once for all of them. */
  private async ask<Row>(name: string, input: Readonly<Record<string, unknown>>): Promise<readonly Row[]> {
    const {data, inEveryRow = {}} = await this.call(name, input);
    return (data as object[]).map(row => ({...inEveryRow, ...row}) as Row);
  }

  private async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<{data: unknown; inEveryRow?: object}> {
    const {content, isError} = await this.client.callTool({name, arguments: input}, undefined, {timeout: longestMs});
    const [{text}] = content as [{text: string}];
    if (isError) throw new Error(`${name}: ${text}`);
    return JSON.parse(text) as {data: unknown; inEveryRow?: object};
  }
}

/** Whether the line with most time holds the lines with less: it is the loop of the steps. */
function isLoop([most, ...others]: readonly LineRow[]): boolean {
  return most !== undefined && others.every(({cpuWallNs}) => cpuWallNs <= most.cpuWallNs);
}
