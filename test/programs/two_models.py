"""A GAN: two models, two optimizers, and a step that ends with the generator's."""

import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
discriminator = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer_d = torch.optim.Adam(discriminator.parameters())
optimizer_g = torch.optim.Adam(generator.parameters())
data = [torch.randn(6, 8) for _ in range(12)]

for i, real in enumerate(data):
    optimizer_d.zero_grad()
    d_real = discriminator(real)
    noise = torch.randn(6, 4)
    fake = generator(noise)
    d_fake = discriminator(fake.detach())
    loss_d = criterion(d_real, torch.ones(6, 1)) + criterion(d_fake, torch.zeros(6, 1))
    loss_d.backward()
    optimizer_d.step()
    optimizer_g.zero_grad()
    loss_g = criterion(discriminator(fake), torch.ones(6, 1))
    loss_g.backward()
    optimizer_g.step()
    print(loss_d.item(), loss_g.item())
