import {expect, it} from 'vitest';
import {importsTorch} from '../../src/source/python/imports-torch.js';

it.each([
  ['import torch', true],
  ['import os, torch', true],
  ['import torch.nn as nn', true],
  ['from torch import nn', true],
  ['from torch.nn.functional import *', true],
  ['def f():\n    import torch\n', true],
  ['try:\n  from torch.cuda import nvtx\nexcept ImportError: pass', true],
  ['"""\nimport torch\n"""', false],
  ['# import torch', false],
  ['import torchvision', false],
  ['from pytorch import torch_like', false],
  ['import numpy as np', false],
  ['', false],
])('importsTorch(%j) is %j', (text, expected) => {
  expect(importsTorch(text)).toBe(expected);
});
