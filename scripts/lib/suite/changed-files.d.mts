export function pythonTestsOf(changed: string[]): string[];
export function endToEndTestsOf(changed: string[]): string[];
export function relatedFiles(listed: string): string[];
