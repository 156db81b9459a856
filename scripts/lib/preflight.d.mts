export function preflight(...checks: readonly unknown[]): Promise<void>;
export function isRemoteTerminal(env?: Readonly<Record<string, string>>): boolean;
export function hasDesktop(env?: Readonly<Record<string, string>>, platform?: string): boolean;
export function whyNoServer(onWindows: string, folder?: string, platform?: string): string | null;
export function whyNotWritable(name: string, folder: string, remedy: string): string | null;
export function whyOldDesktop(version: string, required?: string, platform?: string): string | null;
