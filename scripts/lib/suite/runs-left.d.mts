export const conditionNames: string[];
export function runsLeft(page: string): string[];
