import {isOfPackage} from '../source/python-packages.js';

/** Modules of Python's standard library that allocate, or call what does, under a Windows `Lib` folder. */
const standardModules =
  'abc|ast|asyncio|bdb|code|codeop|collections|concurrent|contextlib|copy|ctypes|dataclasses|enum|functools|heapq|imaplib|importlib|inspect|json|logging|multiprocessing|pdb|pickle|pkgutil|profile|queue|random|re|runpy|selectors|site|socketserver|statistics|subprocess|tempfile|threading|timeit|trace|tracemalloc|types|typing|unittest|warnings|weakref|zipapp|zipfile';

/** A module of the standard library as PyTorch's profiler names it: without a folder. */
const bareStandard = new RegExp(`^(?:${standardModules})(?:/[^/]+)?\\.py$`);

const libraries: readonly RegExp[] = [
  /\/(?:site|dist)-packages\//,
  /\/lib(?:64|32)?\/python\d[^/]*\//i,
  /\/python\d[\d.]*\.zip\//,
  new RegExp(`^[a-z]:/.*/lib/(?:${standardModules})(?:/|\\.py$)`, 'i'),
  // PyTorch from its own source tree, and what it writes when it compiles a model.
  /\/torch\/(?:_|accelerator|amp|ao|autograd|backends|csrc|cuda|distributed|distributions|export|fft|func|functional\.py|fx|jit|library\.py|linalg|lib\/|masked|mps|mtia|multiprocessing|nested|nn\/|onnx|optim|overrides\.py|package|profiler|quantization|random\.py|serialization\.py|sparse|storage\.py|testing|utils\/|xpu)/,
  /\/torchinductor_[^/]*\//,
  /\/torch_compile_debug\//,
];

/** Frames of C, C++ and of what has no file: those of the interpreter, of PyTorch's libraries and of the system. */
const notPython = /^$|^\?\?$|\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|s|so|dylib|dll|pyd|inc|def|rs|pyx)(?:[.\d]*)$/i;

/** Code without a file that a person has typed. */
const typed = /^<(?:ipython-input-|stdin>)/;

/**
 * Whether a file is a person's own Python code: outside site-packages, the standard library and PyTorch, and neither
 * made by a program (`<string>`, compiled graphs) nor C or C++.
 */
export function isOwnCode(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  if (path.startsWith('<')) return typed.test(path);
  // PyTorch's profiler leaves out what a path has in common with an entry of `sys.path`.
  const isRelative = !/^(?:\/|[a-z]:)/i.test(path);
  if (isRelative && isOfPackage(path)) return false;
  const whole = isRelative ? `/${path}` : path;
  return !notPython.test(path) && !bareStandard.test(path) && !libraries.some(library => library.test(whole));
}
