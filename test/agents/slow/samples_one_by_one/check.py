"""Samples one by one, what must be the same."""

import __main__


def results():
    """Returns what must be the same within a tolerance: larger batches add in another order."""
    return __main__.model.state_dict()
