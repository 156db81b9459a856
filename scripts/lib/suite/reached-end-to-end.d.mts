export function endToEndTestsOf(changed: string[]): string[];
