export interface Fault {
  area: string;
  file: string;
  text: string;
  replacement: string;
  tests: string[];
}
export function withFault(source: string, fault: Pick<Fault, 'file' | 'text' | 'replacement'>): string;
