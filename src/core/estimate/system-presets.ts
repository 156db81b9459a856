import type {System} from './system.js';

export interface SystemPreset {
  readonly id: string;
  readonly system: System;
  /** The data sheets with its figures. */
  readonly source: string;
  /** Public pages with which its figures were compared. @see docs/estimate.md#presets */
  readonly pages: readonly string[];
  /** The GPU's names in profiles. */
  readonly deviceName: RegExp;
}

const tera = 1e12;
const giga = 1e9;

const a100 = {
  matrixFlopsPerSecond: {fp16: 312 * tera, bf16: 312 * tera, tf32: 156 * tera},
  vectorFlopsPerSecond: {fp32: 19.5 * tera, fp16: 78 * tera, bf16: 39 * tera},
  nvlinkBytesPerSecond: 600 * giga,
} as const;

const hopper = {
  matrixFlopsPerSecond: {fp16: 989.4 * tera, bf16: 989.4 * tera, tf32: 494.7 * tera, fp8: 1978.9 * tera},
  vectorFlopsPerSecond: {fp32: 66.9 * tera, fp16: 133.8 * tera, bf16: 133.8 * tera},
  nvlinkBytesPerSecond: 900 * giga,
  // Eight adapters of 400 Gb/s.
  infinibandBytesPerSecond: 400 * giga,
  nvlinkDomainSize: 8,
} as const;

/** Lists of dense figures by precision, each with its data sheets. */
const figures = 'https://glennklockwood.com/garden/processors/';
const dgxAdapters =
  'https://docs.nvidia.com/dgx-basepod/reference-architecture-infrastructure-foundation-enterprise-ai/latest/core-components.html';
const whitePaperNotes = 'https://jingchaozhang.github.io/A100-white-paper/';

const hopperSource = 'NVIDIA H100 Tensor Core GPU Architecture white paper, table 3 (SXM5, without sparsity)';

/** Systems by GPU. Every figure can be changed. */
export const systemPresets: readonly SystemPreset[] = [
  {
    id: 'v100',
    system: {
      matrixFlopsPerSecond: {fp16: 125 * tera},
      vectorFlopsPerSecond: {fp32: 15.7 * tera, fp16: 31.4 * tera},
      hbmBytesPerSecond: 900 * giga,
      nvlinkBytesPerSecond: 300 * giga,
      // DGX-1: four adapters of 100 Gb/s.
      infinibandBytesPerSecond: 50 * giga,
      nvlinkDomainSize: 8,
    },
    source:
      'NVIDIA V100 data sheet (SXM2); NVIDIA Tesla V100 white paper for fp16 without tensor cores; DGX-1 data sheet',
    pages: [
      'https://www.iitr.ac.in/dgx',
      'https://leslivresblancs.fr/livre/informatique-et-logiciels/intelligence-artificielle/nvidia-dgx-1-tesla-v100-system',
    ],
    deviceName: /\bV100\b(?!.*(PCIE|FHHL))/i,
  },
  {
    id: 'a100-40gb',
    // Nodes of four GPUs with four adapters of 200 Gb/s, as in the notebook.
    system: {...a100, hbmBytesPerSecond: 1555 * giga, infinibandBytesPerSecond: 100 * giga, nvlinkDomainSize: 4},
    source: 'NVIDIA A100 data sheet (40GB SXM); NVIDIA A100 white paper, table 1, for fp16 without tensor cores',
    pages: [`${figures}A100`],
    deviceName: /\bA100\b(?!.*(80|64) ?GB)/i,
  },
  {
    id: 'a100-80gb',
    // DGX A100: eight adapters of 200 Gb/s.
    system: {...a100, hbmBytesPerSecond: 2039 * giga, infinibandBytesPerSecond: 200 * giga, nvlinkDomainSize: 8},
    source:
      'NVIDIA A100 data sheet (80GB SXM); NVIDIA A100 white paper, table 1, for fp16 without tensor cores; DGX A100 data sheet',
    pages: [`${figures}A100`, whitePaperNotes],
    deviceName: /\bA100\b(?!.*PCIE).*80 ?GB/i,
  },
  {
    id: 'h100',
    system: {...hopper, hbmBytesPerSecond: 3350 * giga},
    source: `${hopperSource}; NVIDIA H100 data sheet (SXM) for HBM; DGX H100 data sheet`,
    pages: [`${figures}h100`, dgxAdapters],
    deviceName: /\bH100\b(?!.*(PCIE|NVL))/i,
  },
  {
    id: 'h200',
    system: {...hopper, hbmBytesPerSecond: 4800 * giga},
    source: `NVIDIA H200 data sheet (SXM) for HBM; ${hopperSource}; DGX H200 data sheet`,
    pages: [`${figures}h100`, 'https://aiwiki.ai/wiki/nvidia_h200/raw', dgxAdapters],
    deviceName: /\bH200\b(?!.*NVL)/i,
  },
  {
    id: 'b200',
    system: {
      matrixFlopsPerSecond: {fp16: 2250 * tera, bf16: 2250 * tera, tf32: 1100 * tera, fp8: 4500 * tera},
      // No separate figure for fp16 without tensor cores is published.
      vectorFlopsPerSecond: {fp32: 80 * tera},
      hbmBytesPerSecond: 8000 * giga,
      nvlinkBytesPerSecond: 1800 * giga,
      infinibandBytesPerSecond: 400 * giga,
      nvlinkDomainSize: 8,
    },
    source: 'NVIDIA Blackwell Architecture Technical Brief (HGX B200, without sparsity); DGX B200 data sheet',
    pages: [`${figures}B200`, dgxAdapters],
    deviceName: /\bB200\b/,
  },
  {
    id: 'mi300x',
    system: {
      matrixFlopsPerSecond: {
        fp32: 163.4 * tera,
        tf32: 653.7 * tera,
        fp16: 1307.4 * tera,
        bf16: 1307.4 * tera,
        fp8: 2614.9 * tera,
      },
      vectorFlopsPerSecond: {fp32: 163.4 * tera},
      hbmBytesPerSecond: 5300 * giga,
      // Infinity Fabric: seven links of 128 GB/s.
      nvlinkBytesPerSecond: 896 * giga,
      // The platform does not specify adapters; eight of 400 Gb/s are usual.
      infinibandBytesPerSecond: 400 * giga,
      nvlinkDomainSize: 8,
    },
    source: 'AMD Instinct MI300X Accelerator data sheet; AMD Instinct MI300X Platform data sheet',
    pages: [
      'https://github.com/PrimeIntellect-ai/prime-rl/pull/1722',
      'https://vengineer.hatenablog.com/entry/2023/12/15/080000',
    ],
    deviceName: /\bMI300X\b/,
  },
];

/** Returns the preset with a name; null if there is none. */
export function systemPreset(id: string): SystemPreset | null {
  return systemPresets.find(preset => preset.id === id) ?? null;
}

/** Returns the preset of a GPU by its name in profiles; null if no preset matches, and for a part of a GPU (MIG). */
export function systemOfDevice(name: string | null): SystemPreset | null {
  return name === null || /\bMIG\b/.test(name)
    ? null
    : (systemPresets.find(({deviceName}) => deviceName.test(name)) ?? null);
}
