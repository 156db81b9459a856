export function whyNoPrograms(env?: Readonly<Record<string, string>>, platform?: string): string | null;
export function whyNoProgramsIn(folder?: string, platform?: string): string | null;
