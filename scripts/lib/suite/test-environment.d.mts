export function testEnvironment(env?: Readonly<Record<string, string>>): Record<string, string | undefined>;
