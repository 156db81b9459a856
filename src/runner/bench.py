"""`python path/to/src/runner/bench.py --events FILE < POINT`: measures the point of a benchmark sweep in this JSON."""

import sys

from gpulens_bench.main import main

sys.exit(main())
