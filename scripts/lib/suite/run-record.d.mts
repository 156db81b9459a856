export function withRow(text: string, name: string, cells: string[]): string;
export function inMinutes(seconds: number): string;
