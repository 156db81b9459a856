export function ensurePython(): Promise<string>;
export function whyNoPython(): Promise<string | null>;
export function downloadSize(index: string | undefined, platform?: string): string;
export function pipFailure(output: string): string;
