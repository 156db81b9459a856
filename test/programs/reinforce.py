"""REINFORCE: many calls of a small policy, and a step at the end of each episode."""

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(1)
policy = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters())


def select_action(state, log_probs):
    probs = policy(torch.tensor(state).unsqueeze(0))
    m = Categorical(probs)
    action = m.sample()
    log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode(log_probs, rewards):
    R = 0
    returns = []
    for r in rewards[::-1]:
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    loss = []
    for lp, R in zip(log_probs, returns):
        loss.append(-lp * R)
    optimizer.zero_grad()
    loss = torch.cat(loss).sum()
    loss.backward()
    optimizer.step()


def main():
    for episode in range(12):
        log_probs, rewards = [], []
        for t in range(5):
            action = select_action([0.1, 0.2, 0.3, 0.4], log_probs)
            rewards.append(float(action))
        finish_episode(log_probs, rewards)


main()
