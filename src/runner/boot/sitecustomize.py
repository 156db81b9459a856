"""Wakes the GPU Lens agent at the first `import torch`, and costs nothing elsewhere.

Python runs this file at start because its folder is first on PYTHONPATH. It must load in any Python that the user's
command may start, so it uses only syntax that all versions support.
"""

import os
import sys


def _run_next_sitecustomize():
    """Runs the sitecustomize that this one hides: the user's own, or the distribution's."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    if sys.version_info < (3, 5):
        import imp

        try:
            found = imp.find_module("sitecustomize", others)
        except ImportError:
            return
        imp.load_module("sitecustomize", *found)
        return
    from _frozen_importlib_external import PathFinder

    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    from _frozen_importlib import module_from_spec

    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def _with_package(use):
    """Calls `use` with the package's folder on sys.path, and removes the folder afterwards."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, home)
    try:
        use()
    except Exception as error:  # The user's script must run even if profiling fails.
        sys.stderr.write("GPU Lens: profiling is off, the agent failed to start: %r\n" % (error,))
    finally:
        sys.path.remove(home)


def _wake_agent():
    from gpulens_runner.agent import arm

    arm()


def _begin_record():
    from gpulens_proof.recorder import begin

    begin()


def _tell_of_no_torch():
    from gpulens_runner.no_torch import tell

    tell()


class _TorchFinder:
    """Lets the other finders find torch, and wakes the agent once it has been loaded.

    It stays installed until then: a program may first only check whether torch exists, and import it later.
    """

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if finder is not self and find is not None else None
            if spec is not None:
                return self._waking(spec)
        _with_package(_tell_of_no_torch)
        return None

    def _waking(self, spec):
        load = getattr(spec.loader, "exec_module", None)
        if load is None:
            return spec

        def exec_module(module):
            load(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                _with_package(_wake_agent)

        spec.loader.exec_module = exec_module
        return spec


# Forget what a stand-in has tried (see `shims.py`): this process may start itself anew by its name, and must find the
# same Python.
os.environ.pop("GPULENS_SHIM", None)
if sys.version_info >= (3, 9):
    if os.environ.get("GPULENS_CONFIG") or os.environ.get("GPULENS_NVTX"):
        sys.meta_path.insert(0, _TorchFinder())
    if os.environ.get("GPULENS_PROOF"):
        _with_package(_begin_record)
_run_next_sitecustomize()
