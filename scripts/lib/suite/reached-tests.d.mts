export function pythonTestsOf(changed: string[]): string[];
export function readersOf(changed: string[]): string[];
export function relatedFiles(listed: string): string[];
