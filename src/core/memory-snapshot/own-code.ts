import {isOfPackage} from '../source/python-packages.js';

/** Modules of Python's standard library that allocate, or call code that does, under a Windows `Lib` folder. */
const standardModules =
  'abc|ast|asyncio|bdb|code|codeop|collections|concurrent|contextlib|copy|ctypes|dataclasses|enum|functools|heapq|imaplib|importlib|inspect|json|logging|multiprocessing|pdb|pickle|pkgutil|profile|queue|random|re|runpy|selectors|site|socketserver|statistics|subprocess|tempfile|threading|timeit|trace|tracemalloc|types|typing|unittest|warnings|weakref|zipapp|zipfile';

/** A module of the standard library as PyTorch's profiler names it: without a folder. */
const bareStandard = new RegExp(`^(?:${standardModules})(?:/[^/]+)?\\.py$`);

const libraries: readonly RegExp[] = [
  /\/(?:site|dist)-packages\//,
  /\/lib(?:64|32)?\/python\d[^/]*\//i,
  /\/python\d[\d.]*\.zip\//,
  new RegExp(`^[a-z]:/.*/lib/(?:${standardModules})(?:/|\\.py$)`, 'i'),
  // PyTorch from its own source tree, and the code that it generates when it compiles a model.
  /\/torch\/(?:_|accelerator|amp|ao|autograd|backends|csrc|cuda|distributed|distributions|export|fft|func|functional\.py|fx|jit|library\.py|linalg|lib\/|masked|mps|mtia|multiprocessing|nested|nn\/|onnx|optim|overrides\.py|package|profiler|quantization|random\.py|serialization\.py|sparse|storage\.py|testing|utils\/|xpu)/,
  /\/torchinductor_[^/]*\//,
  /\/torch_compile_debug\//,
];

/** Frames of C, C++ and code without a file: the interpreter, PyTorch's libraries and the system. */
const notPython = /^$|^\?\?$|\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|s|so|dylib|dll|pyd|inc|def|rs|pyx)(?:[.\d]*)$/i;

/** Code without a file that a user typed. */
const typed = /^<(?:ipython-input-|stdin>)/;

/**
 * Returns whether a file is the user's own Python code: outside site-packages, the standard library and PyTorch, and
 * neither generated (`<string>`, compiled graphs) nor C or C++.
 */
export function isOwnCode(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  if (path.startsWith('<')) return typed.test(path);
  // PyTorch's profiler omits the part of a path that is an entry of `sys.path`.
  const isRelative = !/^(?:\/|[a-z]:)/i.test(path);
  if (isRelative && isOfPackage(path)) return false;
  const whole = isRelative ? `/${path}` : path;
  return !notPython.test(path) && !bareStandard.test(path) && !libraries.some(library => library.test(whole));
}
