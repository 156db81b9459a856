export function whyNoInputs(): string | null;
export function benchInputs(names: readonly string[]): string[];
