export const hostTarget: string;
export const targets: string[];
export function packageExtension(target?: string): Promise<string>;
export function packageOnce(): Promise<string>;
