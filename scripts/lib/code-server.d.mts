import type {ChildProcess} from 'node:child_process';

export interface ServerFolders {
  readonly userData: string;
  readonly extensions: string;
}
export interface SessionCookie {
  readonly name: string;
  readonly value: string;
}
export interface Server {
  readonly url: string;
  readonly password: string;
  /** The session cookie of a browser that is logged in. */
  readonly cookie: SessionCookie;
  stop(): Promise<void>;
  log(): string;
  /** An error that says what has happened, with the end of the log. */
  failure(what: string): Error;
  readonly process: ChildProcess;
}
export const quietSettings: Readonly<Record<string, unknown>>;
export function ensureCodeServer(): Promise<void>;
export function installExtension(vsix: string, folders: ServerFolders): Promise<void>;
export function startCodeServer(
  folders: ServerFolders,
  options?: {trustsEverything?: boolean; graceS?: number | null; env?: Record<string, string>},
): Promise<Server>;
export function writeUserSettings(folders: ServerFolders, settings: Readonly<Record<string, unknown>>): void;
