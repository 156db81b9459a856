import {describe, expect, it} from 'vitest';
import {lastSegment} from '../../src/source/cpp/cpp-text.js';
import {findCppTags} from '../../src/source/cpp-tags.js';

/** Tags of a function's body as `api name`, with … for expressions; `?` where the name is computed. */
function tagsOf(source: string): string[] {
  return findCppTags(source).map(({api, pattern}) => `${api} ${pattern?.join('…') ?? '?'}`);
}

describe('findCppTags(text)', () => {
  it.each([
    ['nvtxRangePush("a");', 'nvtxRangePush a'],
    ['nvtxRangePushA("a" "b");', 'nvtxRangePush ab'],
    ['nvtxRangePushW(L"a");', 'nvtxRangePush a'],
    ['::nvtxRangePushA("a");', 'nvtxRangePush a'],
    ['auto id = nvtxRangeStartA("a");', 'nvtxRangeStart a'],
    ['nvtxEventAttributes_t e = {0}; e.message.ascii = "a"; nvtxRangePushEx(&e);', 'nvtxRangePush a'],
    ['e.message.ascii = "a"; nvtxRangePushEx(&e); e.message.ascii = "b";', 'nvtxRangePush a'],
    ['auto d = nvtxDomainCreateA("d"); e.message.ascii = "a"; nvtxDomainRangePushEx(d, &e);', 'nvtxRangePush d:a'],
    ['e.message.ascii = "a"; auto i = nvtxDomainRangeStartEx(d_, &e);', 'nvtxRangeStart …:a'],
    ['nvtx3::scoped_range r{"a"};', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range r("a");', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range const r{"a"};', 'nvtx3::scoped_range a'],
    ['auto const r = nvtx3::scoped_range{"a"};', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range r = nvtx3::scoped_range("a");', 'nvtx3::scoped_range a'],
    ['using namespace nvtx3; scoped_range r{"a"};', 'nvtx3::scoped_range a'],
    ['namespace nv = nvtx3; nv::scoped_range r{"a"};', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range r{nvtx3::event_attributes{"a", nvtx3::rgb{1, 2, 3}}};', 'nvtx3::scoped_range a'],
    ['nvtx3::event_attributes e{"a"}; nvtx3::scoped_range r{e};', 'nvtx3::scoped_range a'],
    ['static nvtx3::registered_string_in<D> const m{"a"}; nvtx3::scoped_range r{m};', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range r;', 'nvtx3::scoped_range ?'],
    ['nvtx3::unique_range r{"a"};', 'nvtx3::unique_range a'],
    ['auto h = nvtx3::start_range("a");', 'nvtx3::start_range a'],
    ['NVTX3_FUNC_RANGE();', 'NVTX3_FUNC_RANGE body'],
    ['NVTX3_V1_FUNC_RANGE();', 'NVTX3_FUNC_RANGE body'],
    ['auto f = [&] { NVTX3_FUNC_RANGE(); };', 'NVTX3_FUNC_RANGE operator()'],
    ['RECORD_FUNCTION("a", std::vector<c10::IValue>({x}));', 'RECORD_FUNCTION a'],
    ['RECORD_USER_SCOPE("a");', 'RECORD_FUNCTION a'],
    ['RECORD_FUNCTION_WITH_SCOPE(at::RecordScope::USER_SCOPE, "a");', 'RECORD_FUNCTION a'],
    ['nvtxRangePush(("layer_" + std::to_string(i)).c_str());', 'nvtxRangePush layer_…'],
    ['nvtxRangePush((std::string("a") + b + "c").data());', 'nvtxRangePush a…c'],
    ['nvtxRangePush(fmt::format("layer_{}_{{}}", i).c_str());', 'nvtxRangePush layer_…_{}'],
    ['char b[64]; snprintf(b, sizeof(b), "layer_%zu", i); nvtxRangePush(b);', 'nvtxRangePush layer_…'],
    ['const char* n = "a"; nvtxRangePush(n);', 'nvtxRangePush a'],
    ['std::string n{"a"}; nvtxRangePush(n.c_str());', 'nvtxRangePush a'],
    ['nvtxRangePush(__func__);', 'nvtxRangePush body'],
    ['nvtxRangePush(name);', 'nvtxRangePush ?'],
    ['nvtxRangePush(R"x(a"b)x");', 'nvtxRangePush a"b'],
    [String.raw`nvtxRangePush("a\tb\"\x41");`, 'nvtxRangePush a\tb"A'],
    ['nvtxRangePush(u8"ä");', 'nvtxRangePush ä'],
    ['kernel<<<grid, block, 0, stream>>>(p, "x"); nvtxRangePush("a");', 'nvtxRangePush a'],
    ['kernel<float><<<dim3(1), 32>>>(p);\n#ifdef USE\n  nvtxRangePush("a");\n#endif', 'nvtxRangePush a'],
  ])('%s', (body, expected) => {
    expect(tagsOf(`template <typename T>\nvoid A<T>::body(const char* name, int i) {\n  ${body}\n}\n`)).toEqual([
      expected,
    ]);
  });

  it.each([
    ['nvtx3::scoped_range r_{"a"};', 'nvtx3::scoped_range a'],
    ['nvtx3::scoped_range r_ = nvtx3::scoped_range("a");', 'nvtx3::scoped_range a'],
    ['nvtx3::unique_range r_; T() : r_{"a"} {}', 'nvtx3::unique_range a'],
    ['T(int i) : i_(i), r_("a") {} int i_; nvtx3::scoped_range r_;', 'nvtx3::scoped_range a'],
    ['T() : other_("a") {} nvtx3::scoped_range r_{"b"};', 'nvtx3::scoped_range b'],
  ])('member %s', (members, expected) => {
    expect(tagsOf(`struct T {\n  ${members}\n};\n`)).toEqual([expected]);
  });

  it.each([
    ['#define R(n) nvtx3::scoped_range r_##__LINE__{n}', 'R("a");', 'nvtx3::scoped_range a'],
    ['#define R(i, n) nvtx3::scoped_range r{(n)}', 'R(1, "a" "b");', 'nvtx3::scoped_range ab'],
    ['#define R(n) \\\n  do { \\\n    nvtxRangePushA(n); \\\n  } while (0)', 'R("a");', 'nvtxRangePush a'],
    ['#define R(n) if (on) nvtxRangePushA(#n)', 'R(a);', 'nvtxRangePush a'],
    ['#define R nvtx3::scoped_range r{"a"}', 'R;', 'nvtx3::scoped_range a'],
    ['#define R() NVTX3_FUNC_RANGE()', 'R();', 'NVTX3_FUNC_RANGE body'],
    ['#define R NVTX3_FUNC_RANGE()', 'R;', 'NVTX3_FUNC_RANGE body'],
    ['#define R() nvtxRangePushA(__func__)', 'R();', 'nvtxRangePush body'],
    ['#define Q(n) nvtxRangePushA(n)\n#define R(n) Q(n)', 'R("a");', 'nvtxRangePush a'],
    [
      '#ifdef N\n#define R(n) nvtx3::scoped_range r{n}\n#else\n#define R(n)\n#endif',
      'R("a");',
      'nvtx3::scoped_range a',
    ],
    ['#define R(n) nvtxRangePushA(prefix n)', 'R("a");', 'nvtxRangePush ?'],
    ['#define R(n) RECORD_USER_SCOPE(n)', 'R("a");', 'RECORD_FUNCTION a'],
  ])('macro %s', (macro, use, expected) => {
    expect(tagsOf(`${macro}\nvoid body() {\n  ${use}\n}\n`)).toEqual([expected]);
  });

  it('knows where a range ends that macros open and close, and passes over macros that do neither', () => {
    const text = `#define PUSH(n) nvtxRangePushA(n)
#define POP() nvtxRangePop()
#define CHECK(x) do { check(x); } while (0)
#define IN(n) nvtx3::scoped_range_in<D> r{n}
void f() {
  PUSH("a");
  CHECK(work());
  IN("b");
  POP();
}
`;
    expect(findCppTags(text)).toMatchObject([{pattern: ['a'], line: 6, endLine: 9}]);
    expect(findCppTags(`${text}#define R(n) ${'('.repeat(5000)}\n#define \n#define X\\`)).toHaveLength(1);
  });

  it.each([
    ['RECORD_FUNCTION_WITH_SCOPE_INPUTS_OUTPUTS(s, "a", i, o)'],
    ['RECORD_USER_SCOPE_WITH_KWARGS_ONLY("a", kwargs)'],
    ['RECORD_WITH_SCOPE_DEBUG_HANDLE_AND_INPUTS(s, "a", 1, i)'],
    ['RECORD_EDGE_SCOPE_WITH_DEBUG_HANDLE_AND_INPUTS("a", 1, i)'],
  ])('%s', call => {
    expect(tagsOf(`void f() {\n  ${call};\n}\n`)).toEqual(['RECORD_FUNCTION a']);
  });

  const struct = 'struct my_domain { static constexpr char const* name{"d"}; };\n';
  it.each([
    ['#define NAME "a" // why\nvoid f() { nvtxRangePush(NAME); }', 'nvtxRangePush a'],
    ['static constexpr char const* kName = "a";\nvoid f() { nvtxRangePush(kName); }', 'nvtxRangePush a'],
    [
      'namespace n { const std::string kName = "a"; }\nvoid f() { RECORD_FUNCTION(n::kName, {}); }',
      'RECORD_FUNCTION a',
    ],
    [`${struct}void f() { nvtx3::scoped_range_in<my_domain> r{"a"}; }`, 'nvtx3::scoped_range d:a'],
    [`${struct}void f() { NVTX3_FUNC_RANGE_IN(my_domain); }`, 'NVTX3_FUNC_RANGE d:f'],
    [`${struct}void f() { auto h = nvtx3::start_range_in<my_domain>("a"); }`, 'nvtx3::start_range d:a'],
    ['void f() { nvtx3::scoped_range_in<elsewhere> r{"a"}; }', 'nvtx3::scoped_range …:a'],
    ['class C { void g() { NVTX3_FUNC_RANGE(); } };', 'NVTX3_FUNC_RANGE g'],
    ['ns::C::~C() { NVTX3_FUNC_RANGE(); }', 'NVTX3_FUNC_RANGE ~C'],
    ['std::vector<int>* C::g(int a) const { NVTX3_FUNC_RANGE(); return 0; }', 'NVTX3_FUNC_RANGE g'],
    ['TEST(Suite, Case) { nvtx3::scoped_range r{"a"}; }', 'nvtx3::scoped_range a'],
    ['PYBIND11_MODULE(x, m) { m.def("f", [](int a) { nvtxRangePush("a"); nvtxRangePop(); }); }', 'nvtxRangePush a'],
    [
      '__global__ void k(int* p) { p[0] = 1; }\nvoid f() { nvtxRangePush("a"); k<<<1, 1>>>(p); nvtxRangePop(); }',
      'nvtxRangePush a',
    ],
    ['void f() { if (x { nvtxRangePush("a"); }', 'nvtxRangePush a'],
  ])('%s', (source, expected) => {
    expect(tagsOf(source)).toEqual([expected]);
  });

  it.each([
    '// nvtxRangePush("a");',
    'auto s = "nvtxRangePush(\\"a\\")";',
    'nvtxMark("a");',
    'scoped_range r{"a"}; // nvtx',
    '',
  ])('finds nothing in %j', source => {
    expect(tagsOf(`void f() {\n${source}\n}`)).toEqual([]);
  });

  it.each([
    'nvtx3::scoped_range_in<D> r{"a"};'.repeat(3000),
    'e.message.ascii = "a"; nvtxRangePushEx(&e);'.repeat(3000),
    '{nvtxRangePush("a");'.repeat(3000),
  ])('comes to an end with a text made to be slow, %#', body => {
    expect(findCppTags(`void f() {${body}}`).length).toBeGreaterThan(1000);
  });

  it.each([
    `nvtx3::scoped_range_in<${' '.repeat(100_000)}a, b> r{"a"};`,
    `nvtxRangePush("a")${'.f()'.repeat(20_000)};`,
  ])('comes to an end with long types and chains of calls, %#', body => {
    expect(findCppTags(`void f() {${body}}`)).toHaveLength(1);
  });

  it('comes to an end with a name of brackets that nothing closes', () => {
    expect(lastSegment(`a::${'b<'.repeat(1_000_000)}`)).toHaveLength(2_000_000);
    expect(lastSegment('nvtx3 :: scoped_range_in< A<B> >')).toBe('scoped_range_in');
  });

  it.each([
    ['nvtxRangePush("a");\nx();\nnvtxRangePop();', [[2, 4]]],
    [
      'nvtxRangePush("a");\nnvtxRangePush("b");\nnvtxRangePop();\nnvtxRangePop();',
      [
        [2, 5],
        [3, 4],
      ],
    ],
    [
      'auto a = nvtxRangeStart("a");\nauto b = nvtxRangeStart("b");\nnvtxRangeEnd(a);\nnvtxRangeEnd(b);',
      [
        [2, 4],
        [3, 5],
      ],
    ],
    ['{\n  nvtx3::scoped_range r{"a"};\n  x();\n}\ny();', [[3, 5]]],
    ['NVTX3_FUNC_RANGE();\nx();', [[2, 4]]],
    ['nvtxRangePush("a");', [[2, 2]]],
  ])('tells what %j covers, by lines', (body, lines) => {
    expect(findCppTags(`void f() {\n${body}\n}`).map(({line, endLine}) => [line, endLine])).toEqual(lines);
  });
});
