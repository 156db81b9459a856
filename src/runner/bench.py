"""`python path/to/src/runner/bench.py --events FILE --point JSON`: measures one point of a benchmark sweep."""

import sys

from gpulens_bench.main import main

sys.exit(main())
