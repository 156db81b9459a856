import type {ModelShape} from './model-shape.js';

export interface ModelPreset {
  readonly id: string;
  readonly shape: ModelShape;
  /** The source of its figures. */
  readonly source: string;
}

/** The common values of GPT-2, GPT-3 and BERT, and the defaults of a model. */
export const classic = {
  batch: 1,
  norm: 'layer-norm',
  mlp: 'plain',
  attention: 'plain',
  isCausal: false,
  hasBias: true,
  hasDropout: true,
  experts: 0,
  expertsPerToken: 0,
  expertLayers: 0,
} as const;

/** The conventions that Llama introduced and most models have adopted. */
const modern = {
  ...classic,
  norm: 'rms-norm',
  mlp: 'gated',
  attention: 'flash',
  isCausal: true,
  hasBias: false,
  hasDropout: false,
} as const;

type Widths = Pick<ModelShape, 'length' | 'embedding' | 'heads' | 'depth'> & Partial<ModelShape>;

/**
 * Returns `hidden`, and the number and width of heads of keys and values, with the usual values if they are not given.
 */
function widths(common: typeof classic | typeof modern, given: Widths): ModelShape {
  return {
    ...common,
    hidden: 4 * given.embedding,
    keyValueHeads: given.heads,
    headWidth: given.embedding / given.heads,
    ...given,
  };
}

const gpt3 = {embedding: 12288, heads: 96, depth: 96} as const;

/** Models to start from. Every figure can be changed. */
export const modelPresets: readonly ModelPreset[] = [
  {
    id: 'gpt3-175b',
    shape: widths(classic, {...gpt3, length: 2048}),
    source: 'Brown et al. 2020, arXiv:2005.14165, table 2.1',
  },
  {
    id: 'image-720x1440',
    // 720 × 1440 pixels in patches of 16 × 16: 45 × 90 tokens.
    shape: widths(classic, {...gpt3, length: (720 / 16) * (1440 / 16)}),
    source: 'GPT-3’s widths on images of 720 × 1440 pixels in patches of 16, the notebook’s other shape',
  },
  {
    id: 'gpt2-xl',
    shape: widths(classic, {length: 1024, embedding: 1600, heads: 25, depth: 48}),
    source: 'Radford et al. 2019, Language Models are Unsupervised Multitask Learners, table 2',
  },
  {
    id: 'bert-base',
    shape: widths(classic, {length: 512, embedding: 768, heads: 12, depth: 12}),
    source: 'Devlin et al. 2019, arXiv:1810.04805, section 3',
  },
  {
    id: 'bert-small',
    shape: widths(classic, {length: 512, embedding: 512, heads: 8, depth: 4}),
    source: 'Turc et al. 2019, arXiv:1908.08962, table 1',
  },
  {
    id: 'vit-base',
    shape: widths(classic, {length: 197, embedding: 768, heads: 12, depth: 12}),
    source: 'Dosovitskiy et al. 2021, arXiv:2010.11929, table 1',
  },
  {
    id: 'llama2-7b',
    shape: widths(modern, {length: 4096, embedding: 4096, heads: 32, depth: 32, hidden: 11008}),
    source: 'Touvron et al. 2023, arXiv:2307.09288, table 1; hidden width from its published configuration',
  },
  {
    id: 'llama2-70b',
    shape: widths(modern, {length: 4096, embedding: 8192, heads: 64, keyValueHeads: 8, depth: 80, hidden: 28672}),
    source: 'Touvron et al. 2023, arXiv:2307.09288, table 1; hidden width from its published configuration',
  },
  {
    id: 'llama3-8b',
    shape: widths(modern, {length: 8192, embedding: 4096, heads: 32, keyValueHeads: 8, depth: 32, hidden: 14336}),
    source: 'Llama Team 2024, arXiv:2407.21783, table 3',
  },
  {
    id: 'qwen1.5-0.5b',
    shape: widths(modern, {length: 2048, embedding: 1024, heads: 16, depth: 24, hidden: 2816}),
    source: 'The published configuration of Qwen1.5-0.5B',
  },
  {
    id: 'mixtral-8x7b',
    shape: widths(modern, {
      length: 4096,
      embedding: 4096,
      heads: 32,
      keyValueHeads: 8,
      depth: 32,
      hidden: 14336,
      experts: 8,
      expertsPerToken: 2,
      expertLayers: 32,
    }),
    source: 'Jiang et al. 2024, arXiv:2401.04088, table 1',
  },
  {
    id: 'fairseq-moe-15b',
    shape: widths(classic, {
      length: 2048,
      embedding: 768,
      heads: 12,
      depth: 12,
      experts: 512,
      expertsPerToken: 2,
      expertLayers: 6,
    }),
    source: 'Artetxe et al. 2022, arXiv:2112.10684, table 1; every second layer has 512 experts',
  },
];

/** Returns the preset with a name; null if there is none. */
export function modelPreset(id: string): ModelPreset | null {
  return modelPresets.find(preset => preset.id === id) ?? null;
}
