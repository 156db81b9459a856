import type {Rule} from '../rules/rule.js';
import {cudaApiSync} from './cuda-api-sync.js';
import {cudaMemcpyAsync} from './cuda-memcpy-async.js';
import {cudaMemcpySync} from './cuda-memcpy-sync.js';
import {cudaMemsetSync} from './cuda-memset-sync.js';
import {gpuGaps} from './gpu-gaps.js';
import {gpuTimeUtil} from './gpu-time-util.js';

/** The expert rules of `nsys analyze`, with its thresholds. They report symptoms, so they only run on request. */
export const nsysRules: readonly Rule[] = [
  gpuGaps,
  gpuTimeUtil,
  cudaMemcpyAsync,
  cudaMemcpySync,
  cudaMemsetSync,
  cudaApiSync,
];
