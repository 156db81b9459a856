"""Off-policy RL (TD3): two critics, an actor that learns every second update, targets that follow, a temperature."""

import copy
import random

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2), nn.Tanh())
        self.critics = nn.ModuleList(nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1)) for _ in range(2))
        self.target_actor, self.target_critics = copy.deepcopy(self.actor), copy.deepcopy(self.critics)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_optimizers = [torch.optim.Adam(c.parameters(), lr=1e-3) for c in self.critics]
        self.alpha_optimizer = torch.optim.SGD([self.log_alpha], lr=1e-2)
        self.updates = 0

    @torch.no_grad()
    def act(self, state):
        return self.actor(state) + 0.1 * torch.randn(2)  # figure: forward

    def update(self, state, action, reward, after):
        with torch.no_grad():
            pair = torch.cat((after, self.target_actor(after)), 1)  # figure: forward
            wanted = reward + 0.9 * torch.minimum(*(critic(pair) for critic in self.target_critics))  # figure: forward
        for critic, optimizer in zip(self.critics, self.critic_optimizers):
            loss = nn.functional.mse_loss(critic(torch.cat((state, action), 1)), wanted)  # figure: forward, loss
            optimizer.zero_grad()  # figure: optimizer
            loss.backward()  # figure: backward
            optimizer.step()  # figure: optimizer
        self.updates += 1
        if self.updates % 2 == 0:
            chosen = self.actor(state)  # figure: forward
            actor_loss = -self.critics[0](torch.cat((state, chosen), 1)).mean()  # figure: forward
            self.actor_optimizer.zero_grad()  # figure: optimizer
            actor_loss.backward()  # figure: backward
            self.actor_optimizer.step()  # figure: optimizer
            self.alpha_optimizer.zero_grad()
            (self.log_alpha.exp() * chosen.detach().pow(2).mean()).backward()  # figure: backward
            self.alpha_optimizer.step()  # figure: optimizer
            self.follow()  # figure: targets
        return loss.item()

    @torch.no_grad()
    def follow(self):
        for target, source in ((self.target_actor, self.actor), (self.target_critics, self.critics)):
            for slow, fast in zip(target.parameters(), source.parameters()):
                slow.lerp_(fast, 0.05)  # figure: targets


def main():
    torch.manual_seed(0)
    chance, agent, memory = random.Random(0), Agent(), []
    state = torch.randn(4)
    for step in range(60):  # figure: loop
        action = agent.act(state)
        after = state * 0.9 + torch.cat((action, action)) * 0.1
        memory.append((state, action, -after.norm().reshape(1), after))
        state = after
        if len(memory) >= 16:
            batch = [torch.stack(part) for part in zip(*chance.sample(memory, 8))]
            print(step, agent.update(*batch))


main()
