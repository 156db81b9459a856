"""`python path/to/src/runner --out FOLDER --events FILE -- python train.py`: runs a command and records it."""

import sys

from gpulens_runner.supervisor import main

sys.exit(main())
