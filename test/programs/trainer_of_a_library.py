"""A module that a framework trains: the loop, backward and the optimizer are the library's."""

import torch
import torch.nn.functional as F
import fakelight


class Lit(fakelight.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))

    def training_step(self, batch):
        x, y = batch
        out = self.net(x)
        loss = F.cross_entropy(out, y)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    torch.manual_seed(0)
    data = torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
    trainer = fakelight.Trainer(14)
    lit = Lit()
    trainer.fit(lit, loader)
    print(sum(p.sum().item() for p in lit.parameters()))


main()
