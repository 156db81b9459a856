/** PyTorch cuts the folder of a package off its frames' paths, so packages are recognised by name alone. */
export const packages: ReadonlySet<string> = new Set(
  [
    'torch torchvision torchaudio torchgen torchmetrics torchao functorch triton numpy scipy pandas sklearn matplotlib',
    'transformers accelerate datasets tokenizers safetensors diffusers peft trl optimum huggingface_hub evaluate',
    'lightning pytorch_lightning lightning_fabric ignite fastai timm einops deepspeed apex megatron fairscale xformers',
    'flash_attn bitsandbytes vllm sglang ray tqdm PIL cv2 wandb tensorboard mlflow omegaconf hydra IPython ipykernel',
    // The modules of the standard library that occur between a script and PyTorch.
    'asyncio concurrent multiprocessing importlib logging unittest json collections',
  ].flatMap(names => names.split(' ')),
);

/**
 * Returns whether a relative path of PyTorch's profiler (`transformers/trainer.py`) belongs to a common package, or to
 * one of the standard library. A file without a folder belongs to none.
 */
export function isOfPackage(path: string): boolean {
  const [first, ...others] = path.split(/[/\\]/);
  return others.length > 0 && packages.has(first);
}
