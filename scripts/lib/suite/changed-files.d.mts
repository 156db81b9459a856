export function changedSince(base: string, folder?: string): Promise<string[]>;
export function pythonTestsOf(changed: string[]): string[];
export function endToEndTestsOf(changed: string[]): string[];
export function relatedFiles(listed: string): string[];
