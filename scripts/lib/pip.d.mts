export function pipFailure(output: string): string;
