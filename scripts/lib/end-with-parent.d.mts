export function endWithParent(pid: number): () => void;
export function endGroup(pid: number, signal: string): void;
