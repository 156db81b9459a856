export const conditionNames: string[];
export function runsLeft(page: string, commit: string): string[];
