"""transformers: the Trainer, which evaluates first and accumulates gradients."""

import tempfile

import torch
import transformers

transformers.set_seed(1)
config = transformers.GPT2Config(
    n_layer=2, n_head=2, n_embd=32, vocab_size=100, n_positions=32, bos_token_id=0, eos_token_id=1
)
model = transformers.GPT2LMHeadModel(config)
data = [dict(input_ids=(ids := torch.randint(0, 100, (16,))), labels=ids) for _ in range(96)]
arguments = transformers.TrainingArguments(
    tempfile.mkdtemp(),
    per_device_train_batch_size=4,
    gradient_accumulation_steps=2,
    num_train_epochs=2,
    eval_strategy="epoch",
    eval_on_start=True,
    report_to=[],
    use_cpu=True,
    save_strategy="no",
    disable_tqdm=True,
)
trainer = transformers.Trainer(model, arguments, train_dataset=data, eval_dataset=data[:8])
trainer.train()  # figure: loop, forward, loss, backward, optimizer, data loading
print(f"weights {sum(p.double().sum().item() for p in model.parameters()):.6f}")
