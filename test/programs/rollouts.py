"""PPO in small: rollouts without gradients, then several updates of minibatches."""

import torch
from torch import nn

torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor, self.critic = nn.Linear(4, 2), nn.Linear(4, 1)

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.actor(obs))  # figure: forward
        action = dist.sample()
        return action, dist.log_prob(action), self.critic(obs)  # figure: critic


def env_step(obs, action):
    return torch.tanh(obs + torch.randn(8, 4) * 0.1), obs.sum(1)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
obs = torch.zeros(8, 4)
for update in range(6):
    buffer = []
    with torch.no_grad():
        for t in range(16):
            action, logp, value = agent.act(obs)  # figure: rollout
            after, reward = env_step(obs, action)
            buffer.append((obs, action, logp, reward))
            obs = after
    for epoch in range(3):
        for at in range(0, 16, 4):  # figure: loop
            o = torch.cat([b[0] for b in buffer[at : at + 4]])  # figure: batch
            r = torch.cat([b[3] for b in buffer[at : at + 4]])
            a, logp, v = agent.act(o)  # figure: forward
            loss = (v[:, 0] - r).square().mean() - (logp * r).mean()  # figure: loss
            optimizer.zero_grad()
            loss.backward()  # figure: backward
            optimizer.step()  # figure: optimizer
    print(f"{loss.item():.6f}")
