export function ensurePython(): Promise<string>;
