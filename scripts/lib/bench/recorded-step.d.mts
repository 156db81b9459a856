export interface Recording {
  readonly pid: number;
  readonly events: readonly {
    readonly cat: string;
    readonly name: string;
    readonly tid: number;
    readonly startNs: number;
    readonly durationNs: number;
    readonly args: object;
  }[];
  readonly periodNs: number;
}
export function recordedStep(): Recording;
