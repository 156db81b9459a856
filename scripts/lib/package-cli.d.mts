export function packageCli(folder?: string): Promise<string>;
