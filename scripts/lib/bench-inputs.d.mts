export function whyNoRealInputs(): string | null;
export function benchInputs(names: readonly string[]): Promise<string[]>;
