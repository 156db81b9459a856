export function whyOtherSystem(platform?: string, arch?: string, glibc?: string | null): string | null;
