"""Samples from a diffusion model: a call of the sampler, which is no module, denoises in twenty calls of one."""

import torch
from torch import nn

torch.manual_seed(0)


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(9, 64), nn.SiLU(), nn.Linear(64, 8))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))  # figure: forward


class Diffusion:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def p_sample_loop(self, n):
        x = torch.randn(n, 8)
        for t in range(20):
            x = x - 0.05 * self.model(x, torch.full((n, 1), t / 20))  # figure: forward
        return x


diffusion = Diffusion(Denoiser())
for _ in range(8):  # figure: loop
    print(f"{diffusion.p_sample_loop(4).mean().item():.6f}")  # figure: sampling
