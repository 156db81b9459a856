export interface ServerFolders {
  readonly userData: string;
  readonly extensions: string;
}
export interface Server {
  readonly url: string;
  stop(): Promise<void>;
  log(): string;
}
export const quietSettings: Readonly<Record<string, unknown>>;
export function ensureCodeServer(): Promise<void>;
export function installExtension(vsix: string, folders: ServerFolders): Promise<void>;
export function startCodeServer(
  folders: ServerFolders,
  options?: {trustsEverything?: boolean; graceS?: number | null; env?: Record<string, string>},
): Promise<Server>;
export function writeUserSettings(folders: ServerFolders, settings: Readonly<Record<string, unknown>>): void;
