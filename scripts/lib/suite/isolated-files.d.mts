export const isolatedFiles: string[];
