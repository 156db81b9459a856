"""A FastAPI server under uvicorn: a request generates twelve tokens. The script asks itself, a few times."""

import json
import threading
import urllib.request

import torch
import uvicorn
from fastapi import FastAPI
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(50, 32), nn.Linear(32, 50))
app = FastAPI()


@app.get("/generate")
async def generate():
    idx = torch.zeros((1, 1), dtype=torch.long)
    with torch.inference_mode():
        for _ in range(12):
            logits = model(idx)[:, -1, :]  # figure: forward
            idx = torch.cat((idx, logits.argmax(-1, keepdim=True)), dim=1)
    return idx[0].tolist()


server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))


def ask():
    while not server.started:
        pass
    port = server.servers[0].sockets[0].getsockname()[1]
    for _ in range(12):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/generate") as answer:
            print(json.loads(answer.read()))
    server.should_exit = True


threading.Thread(target=ask).start()
server.run()
