"""Read again, after the change."""

import json
import os
import tempfile

path = os.path.join(tempfile.mkdtemp(), "table.json")
with open(path, "w") as file:
    json.dump({str(key): key * key for key in range(5_000)}, file)
with open(path) as file:
    table = json.load(file)
total = sum(table[str(key)] for key in range(120))
print("total", total)
