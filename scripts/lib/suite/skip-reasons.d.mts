export function skipConditions(path: string): string[];
export function reasonOf(condition: string): string | undefined;
