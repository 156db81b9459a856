export function changedSince(base: string, folder?: string): Promise<string[]>;
