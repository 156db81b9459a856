import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import type {Proof} from '../../src/core/prove/proof.js';
import {cli} from '../support/command-line.js';
import {rewrites} from './rewrites.js';

/** A row in the result of `lines`. */
interface LineRow {
  readonly path: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly cpuWallNs: number;
  readonly cpuSelfNs: number;
}

/** A place where the client suspects that the time goes. */
export interface Suspect {
  readonly file: string;
  readonly line: number;
}

const longestMs = 1_500_000;
/** A line whose own share of its time is smaller mainly calls others. */
const ownPart = 0.5;

/**
 * A client without a model: it profiles a script, asks where the time goes, and improves the first of these lines to
 * which one of its general rewrites applies. It reads only the parts of the script that the tools have named.
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

  /** Improves one line of the script; returns the name of the rewrite, null if none applied. */
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

  /** Returns lines in the order of their costs, from findings and figures of lines. */
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

  /** Proves the last commit against the previous one. */
  async prove(more: Readonly<Record<string, unknown>>): Promise<Proof> {
    const {data} = await this.call('prove', {base: 'HEAD~1', changed: 'HEAD', command: this.command, ...more});
    return data as Proof;
  }

  /** Returns the script's own functions with the most time in built-in functions below them, from Python stacks. */
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

  /** Returns a tool's rows, each with the members that the result has only once. */
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

/** Returns whether the line with the most time contains the others: it is the loop of the steps. */
function isLoop([most, ...others]: readonly LineRow[]): boolean {
  return most !== undefined && others.every(({cpuWallNs}) => cpuWallNs <= most.cpuWallNs);
}
