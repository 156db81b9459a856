export function ensurePython(): Promise<string>;
export function whyNoPython(options?: {isLong?: boolean}): Promise<string | null>;
export function downloadSize(index: string | undefined, platform?: string): string;
