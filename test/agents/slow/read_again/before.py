"""Read again, before the change."""

import json
import os
import tempfile

path = os.path.join(tempfile.mkdtemp(), "table.json")
with open(path, "w") as file:
    json.dump({str(key): key * key for key in range(5_000)}, file)
total = 0
for key in range(120):
    with open(path) as file:
        total += json.load(file)[str(key)]
print("total", total)
