"""Lightning: the Trainer runs 20 steps of validation before it trains."""

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

lightning.seed_everything(1)


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))

    def training_step(self, batch, batch_idx):
        (x,) = batch
        out = self.net(x)  # figure: forward
        loss = out.square().mean()  # figure: loss
        return loss

    def validation_step(self, batch, batch_idx):
        (x,) = batch
        return self.net(x).square().mean()

    def on_train_end(self):
        print(f"weights {sum(p.sum().item() for p in self.parameters()):.6f}")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


loader = DataLoader(TensorDataset(torch.randn(96, 8)), batch_size=4)
trainer = lightning.Trainer(
    max_epochs=1,
    num_sanity_val_steps=20,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Model(), loader, loader)  # figure: loop, backward, optimizer, data loading
