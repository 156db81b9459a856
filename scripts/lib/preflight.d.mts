export function preflight(...checks: readonly unknown[]): Promise<void>;
export function whyNotWritable(name: string, folder: string, remedy: string): string | null;
export function whyOldDesktop(version: string, required?: string): string | null;
