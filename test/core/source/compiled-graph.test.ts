import {expect, it} from 'vitest';
import {kernelNodes, kernelSitesOf, mappedNodes, nodeLines} from '../../../src/core/source/compiled-graph.js';

const outputCode = `
# kernel path: /tmp/torchinductor_me/ab/cab.py
# Topologically Sorted Source Nodes: [relu, y_1], Original ATen: [aten.relu, aten.mul]
# Source node to ATen node mapping:
#   relu => relu
#   y_1 => mul, mul_1
# Graph fragment:
#   %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%arg0_1,), kwargs = {})
triton_poi_fused_mul_relu_0 = async_compile.triton('triton_poi_fused_mul_relu_0', '''
    # a comment of the kernel
''', device_str='cuda')

cpp_fused_add_1 = async_compile.cpp_pybinding(['float*'], r'''
''')

def call(args):
    with torch.cuda._DeviceGuard(0):
        # Topologically Sorted Source Nodes: [linear], Original ATen: [aten.addmm]
        # Source node to ATen node mapping:
        #   linear => addmm
        extern_kernels.addmm(arg1_1, arg0_1, out=buf0)
        cpp_fused_add_1(buf0)
        # Topologically Sorted Source Nodes: [sum_1], Original ATen: [aten.sum]
        # Source node to ATen node mapping:
        #   sum_1 => sum_1
        stream0 = get_raw_stream(0)
        triton_red_fused_sum_2.run(buf0, buf1, 64, 64, stream=stream0)
`;

const graph = `
class <lambda>(torch.nn.Module):
    def forward(self, arg0_1: "f32[8]"):
         # File: /w/my train.py:9 in forward, code: y = torch.relu(y) * 2
        relu: "f32[8][1]cuda:0" = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None
        mul: "f32[8][1]cuda:0" = torch.ops.aten.mul.Tensor(relu, 2);  relu = None

         # No stacktrace found for following nodes
        mul_1: "f32[8][1]cuda:0" = torch.ops.aten.mul.Tensor(mul, 2)

         # File: /venv/lib/python3.11/site-packages/torch/nn/functional.py:10 in softmax, code: ret = input.sum()
        sum_1: "f32[][]cuda:0" = torch.ops.aten.sum.default(mul_1)
        return (sum_1,)
`;

it('kernelNodes(outputCode) gives each kernel the nodes of the comments before it, and no other', () => {
  expect([...kernelNodes(outputCode)].map(([kernel, nodes]) => [kernel, [...nodes]])).toEqual([
    ['triton_poi_fused_mul_relu_0', ['relu', 'mul', 'mul_1']],
    ['cpp_fused_add_1', []],
    ['triton_red_fused_sum_2', ['sum_1']],
  ]);
});

it('nodeLines(graph) gives each node the line of the comment above it', () => {
  const line = {file: '/w/my train.py', line: 9};
  expect([...nodeLines(graph)].slice(0, 2)).toEqual([
    ['relu', line],
    ['mul', line],
  ]);
  expect(nodeLines(graph).has('mul_1')).toBe(false);
  // As it was written until 2023: without the function.
  expect([...nodeLines('# File: a.py:3, code: x = y\nx = torch.ops.aten.add(y, 1)')]).toEqual([
    ['x', {file: 'a.py', line: 3}],
  ]);
});

it('mappedNodes(mappings) gives each kernel the nodes of all its calls', () => {
  // As PyTorch 2.13 writes it for a kernel of C++, whose code has no comments.
  const text = JSON.stringify({
    preToPost: {relu: ['relu']},
    cppCodeToPost: {'cpp_fused_add_1:1': ['relu', 'mul'], 'cpp_fused_add_1:2': ['sum_1'], 'extern_kernels.mm:3': [7]},
    version: 2.0,
  });
  expect([...mappedNodes(text)].map(([kernel, nodes]) => [kernel, [...nodes]])).toEqual([
    ['cpp_fused_add_1', ['relu', 'mul', 'sum_1']],
    ['extern_kernels.mm', []],
  ]);
  expect(kernelSitesOf(outputCode, [graph], text)).toContainEqual({
    ...{name: 'cpp_fused_add_1', file: '/w/my train.py', line: 9},
  });
  for (const other of ['', '[]', '{"cppCodeToPost": 3}', '{"cppCodeToPost": {"a:1": 3']) {
    expect(kernelSitesOf(outputCode, [graph], other)).toEqual(kernelSitesOf(outputCode, [graph]));
  }
});

it('kernelSitesOf(outputCode, graphs) has the user’s own lines, each once, of the first graph that knows a node', () => {
  expect(kernelSitesOf(outputCode, ['', graph])).toEqual([
    {name: 'triton_poi_fused_mul_relu_0', file: '/w/my train.py', line: 9},
  ]);
  const other = '# File: other.py:3 in f, code: x\nmul_1 = torch.ops.aten.mul.Tensor(mul, 2)';
  expect(kernelSitesOf(outputCode, [graph, other]).map(({file, line}) => `${file}:${String(line)}`)).toEqual([
    '/w/my train.py:9',
    'other.py:3',
  ]);
  expect(kernelSitesOf('', [graph])).toEqual([]);
  expect(kernelSitesOf(outputCode, ['\0 no graph', '# File: :x in'])).toEqual([]);
});

it('kernelSitesOf(outputCode, graphs) reads lines that are made to be slow in time that follows their length', () => {
  const code = `triton_${'fused_'.repeat(100_000)}`;
  const place = `# File: ${'a:1 in b'.repeat(100_000)}`;
  expect(kernelSitesOf(code, [place, `${place}, code: x`])).toEqual([]);
});
