/** PyTorch cuts the folder that a package lies in off its frames' paths, so packages are known by name alone. */
export const packages: ReadonlySet<string> = new Set(
  [
    'torch torchvision torchaudio torchgen torchmetrics torchao functorch triton numpy scipy pandas sklearn matplotlib',
    'transformers accelerate datasets tokenizers safetensors diffusers peft trl optimum huggingface_hub evaluate',
    'lightning pytorch_lightning lightning_fabric ignite fastai timm einops deepspeed apex megatron fairscale xformers',
    'flash_attn bitsandbytes vllm sglang ray tqdm PIL cv2 wandb tensorboard mlflow omegaconf hydra IPython ipykernel',
    // Of the standard library what stands between a script and PyTorch.
    'asyncio concurrent multiprocessing importlib logging unittest json collections',
  ].flatMap(names => names.split(' ')),
);

/**
 * Whether a path of PyTorch's profiler without a root (`transformers/trainer.py`) is of a package that many install, or
 * of a package of the standard library. A file without a folder is of none.
 */
export function isOfPackage(path: string): boolean {
  const [first, ...others] = path.split(/[/\\]/);
  return others.length > 0 && packages.has(first);
}
