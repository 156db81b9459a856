/** The shape of a Transformer. */
export interface ModelSize {
  readonly name: string;
  readonly dModel: number;
  readonly dFf: number;
  readonly layers: number;
  readonly heads: number;
}

/** The sizes that a sweep may select by name. */
export const modelSizes: readonly ModelSize[] = [
  {name: 'small', dModel: 768, dFf: 3072, layers: 12, heads: 12},
  {name: 'medium', dModel: 1024, dFf: 4096, layers: 24, heads: 16},
  {name: 'large', dModel: 1280, dFf: 5120, layers: 36, heads: 20},
  {name: 'xl', dModel: 1600, dFf: 6400, layers: 48, heads: 25},
  {name: '2.7B', dModel: 2560, dFf: 10240, layers: 32, heads: 32},
];
