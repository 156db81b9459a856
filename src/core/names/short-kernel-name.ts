import {templateParts, type TemplatePart} from './template-parts.js';

/** Types and their usual names. */
const typeNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:__nv_bfloat162?|BFloat16|bfloat16_t|__hip_bfloat16|hip_bfloat16|nv_bfloat16)$/, 'bf16'],
  [/^(?:__half2?|Half|half_t|half)$/, 'fp16'],
  [/^(?:Float8_e4m3fn\w*|__nv_fp8_e4m3|float_e4m3_t)$/, 'fp8_e4m3'],
  [/^(?:Float8_e5m2\w*|__nv_fp8_e5m2|float_e5m2_t)$/, 'fp8_e5m2'],
  [/^unsigned int$/, 'uint'],
  [/^unsigned long$/, 'ulong'],
  [/^unsigned char$/, 'uchar'],
];

/** Functors that only pass something on; their contents say more. */
const wrapper =
  /^(?:gpu_kernel_impl(?:_nocast)?|BinaryFunctor|func_wrapper_t|ReduceOp|Flash_(?:fwd|bwd)_kernel_traits|GemmUniversal\w*)$/;
/** Arguments about how elements are accessed, not about the computation. */
const plumbing =
  /^(?:array|Array|TrivialOffsetCalculator|OffsetCalculator|LoadWith(?:out)?Cast|StoreWith(?:out)?Cast|Flash_kernel_traits|TensorListMetadata)$/;
/** Names of kernels without meaning; they are named after their first type instead. */
const nameless = /^(?:Kernel2?|kernel|device_kernel)$/;
/** Deeper nested arguments do not help a reader. */
const deepest = 3;

const cache = new Map<string, string>();
const mostCached = 20_000;

/**
 * Returns a kernel's name as people recognise it: without return type, namespaces, parameters and plumbing, but with
 * the functor, element types and sizes of its template arguments.
 *
 *     void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(…)   cutlass_80_simt_sgemm_128x32_8x5_nn_align1
 *     void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<…>>(…)
 *                                                                            vectorized_elementwise_kernel<4, CUDAFunctor_add<bf16>>
 *
 * Names without template arguments are only stripped; a mangled name is unchanged. Kernels that differ only by flags
 * (`true`, `false`) share a short name.
 */
export function shortKernelName(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const short = shorten(name);
  if (cache.size >= mostCached) cache.clear();
  cache.set(name, short);
  return short;
}

function shorten(name: string): string {
  const kernel = templateParts(name);
  if (kernel === null) return name;
  const args = tellingArguments(kernel.args, 0);
  if (!nameless.test(kernel.name)) return withArguments(kernel.name, args);
  const [own = ''] = args;
  // Sizes and types alone are not a name.
  if (/^[A-Za-z_]\w{7,}/.test(own)) return own;
  return withArguments(kernel.outer === '' ? kernel.name : `${kernel.outer}::${kernel.name}`, args);
}

function withArguments(name: string, args: readonly string[]): string {
  return args.length === 0 ? name : `${name}<${args.join(', ')}>`;
}

/** Returns the meaningful arguments as texts, each type once. */
function tellingArguments(args: readonly TemplatePart[], depth: number): string[] {
  const told: string[] = [];
  for (const text of args.flatMap(arg => argumentTexts(arg, depth))) {
    if (/^-?\d/.test(text) || !told.includes(text)) told.push(text);
  }
  return told;
}

function argumentTexts(arg: TemplatePart, depth: number): string[] {
  const {name, args, types, lambda} = arg;
  if (name === '' || name === 'true' || name === 'false' || plumbing.test(name)) return [];
  if (/^-?\d/.test(name)) return [name.replace(/[uUlL]+$/, '')];
  if (depth >= deepest) return [typeName(name)];
  const inner = tellingArguments(args, depth + 1);
  if (wrapper.test(name) && inner.length > 0) return inner;
  const own = withArguments(typeName(name), inner);
  const ofLambda = types.length === 0 ? '' : `(${[...new Set(types.map(typeName))].join(', ')})`;
  return [`${own}${ofLambda}${lambda > 1 ? `#${String(lambda)}` : ''}`];
}

function typeName(name: string): string {
  return typeNames.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}
