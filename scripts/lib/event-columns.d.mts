export function eventColumns(): Promise<string>;
