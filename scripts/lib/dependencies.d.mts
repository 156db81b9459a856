interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
}
export function ensureDependencies(): Promise<void>;
export function hasPackages(
  wanted: Readonly<Record<string, LockedPackage>>,
  installed: Readonly<Record<string, LockedPackage>>,
): boolean;
