export function workersFor(
  options: {readonly perCore?: number; readonly gib: number},
  cores?: number,
  freeBytes?: number,
): number;
