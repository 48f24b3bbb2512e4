// Refusals of cooplayout, with the whole message: each names the rule that is broken, by its identifier and
// its clause. Every condition of the tool and every rule of layout/ that a command line can break is here.
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "layout/rule.hpp"
#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

using Words = std::vector<std::string>;

struct Case {
  Words words;
  // The message without "cooplayout: " and its line feed. If `fact`, the answer has it as a fact instead.
  const char* says;
  bool fact = false;
};

Words tensor(const char* statements, Words more = {}) {
  more.insert(more.begin(), {"tensor", statements});
  return more;
}
Words plain(const std::string& access, Words more = {}) {
  more.insert(more.begin(),
              {"tensor", "coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m", access});
  return more;
}
constexpr const char* kSquare = "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 8)";

Words workItem(Words more) {
  more.insert(more.begin(), "workitem");
  return more;
}
Words smem(Words more) {
  more.insert(more.begin(), "smem");
  return more;
}
Words device(Words more) {
  more.insert(more.begin(), {"device", COOPLAYOUT_DEVICE_FILE});
  return more;
}

const std::vector<Case>& tensorCases() {
  static const std::vector<Case> cases = {
      // Messages of the compiler, with its identifiers.
      {tensor("t = createTensorLayoutNV(6)"),
       "1:26: `tensorLayoutNV` must have 1 to 5 dimensions, not 6 [tensor-dimension-range; "
       "GL_NV_cooperative_matrix2, 4.1.X \"Tensor Layout Types\"]"},
      {tensor("x = (1"),
       "1:7: expected `)`, found `;` [expected-token; GLSL 4.60, 9 \"Shading Language Grammar\"]"},
      // `t` is not a number, so there is no value that --set could give it.
      {tensor("t = setTensorLayoutDimensionNV(t, 4, 4)"),
       "1:32: `t` is not declared [undeclared-name; GLSL 4.60, 4.2.2 \"Types of Scope\"]"},
      {tensor("coopmat<float16_t, gl_ScopeSubgroup, M, 8, gl_MatrixUseA> m", {"--details"}),
       "1:38: 'M' has no value; --set M=N gives it one [program.no-value; GLSL 4.2.2: a name stands for what "
       "was declared before it; --set declares names from outside]"},
      {tensor("x = 1 / 0"),
       "1:7: integer division by zero: the result is undefined [division-by-zero; GLSL 4.60, 5.9 "
       "\"Expressions\"]"},
      {tensor("coopMatLoadTensorNV(m, b, -1, createTensorLayoutNV(2))"),
       "the element offset is negative [program.element-offset; cooperative_matrix2, the parameter element "
       "is a uint]"},
      {tensor(kSquare, {"--load", "0"}),
       "there are 0 loads and stores of matrices; --load counts them from 0 [program.which-load; the loads "
       "and stores of matrices in a text or module are counted from 0, in its order]"},
      // By options.
      {{"tensor", "--dimensions", "1,2,3,4,5,6"},
       "6 dimensions are not in the range 1 to 5 [tensor.dimensions; tensor addressing, tensor layout "
       "types]"},
      {{"tensor", "--dimensions", "8,8", "--view", "1,1"},
       "p1 = 1 does not make a permutation of the view's 2 dimensions [tensor.permutation; tensor "
       "addressing, "
       "OpTypeTensorViewNV]"},
      {tensor("1"),
       "the statements make no tensor layout, and load or store no matrix [program.no-layout; "
       "cooperative_matrix2, a load or store takes a tensor layout; GL_KHR_cooperative_matrix, a stride]"},
      {tensor(kSquare, {"--element", "9,9"}),
       "element (9, 9) is not in the matrix of 8 rows and 8 columns [tensor.outside; tensor addressing: a "
       "matrix of M rows "
       "and N columns has rows below M and columns below N]"},
      {tensor(kSquare, {"--element", "-1,0"}),
       "element (-1, 0) is not in the matrix of 8 rows and 8 columns [tensor.outside; tensor addressing: a "
       "matrix of M rows "
       "and N columns has rows below M and columns below N]"},
      {tensor(kSquare, {"--rows", "0"}),
       "the matrix has 0 rows and 8 columns [tensor.no-elements; tensor addressing: a matrix has at least "
       "one row and one "
       "column]"},
      // Numbers are not truncated to 32 bits, which would give 4.
      {tensor(kSquare, {"--rows", "4294967300"}),
       "a table of 4294967295 x 8 cells has more than 1048576 [table.too-large; a limit of cooplayout: "
       "tables of 2^20 "
       "cells]"},
      {tensor(kSquare, {"--access", "--rows", "12", "--scheme", "tinytc-newer"}),
       "the number of rows, 12, is not a power of two [workitem.rows-power-of-two; Coopmatrix layout, "
       "general layout; older "
       "text, matrix B]"},
      {tensor("setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 4), 3, 1)",
              {"--details"}),
       "stride 0 is 3, smaller than the 4 that dimension 1 needs [tensor.stride; tensor addressing, "
       "setTensorLayoutStrideNV]",
       true},
      {tensor("coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m; coopMatLoadTensorNV(m, b, 1, "
              "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 8))",
              {"--details"}),
       "element offset 1 of 4 bytes each is not a multiple of 16 bytes [tensor.base-alignment; tensor "
       "addressing, "
       "elementOffset]",
       true},
  };
  return cases;
}

const std::vector<Case>& plainCases() {
  static const std::vector<Case> cases = {
      {plain("coopMatLoad(m, b, 0, 1, gl_CooperativeMatrixLayoutRowBlockedInterleavedARM)"),
       "memory layout 4202 is neither row-major (0) nor column-major (1) [strided.memory-layout; "
       "SPV_KHR_cooperative_matrix, Cooperative Matrix Layout]"},
      {plain("coopMatStore(m, b, 0, 0, gl_CooperativeMatrixLayoutRowMajor)"),
       "the stride of a store is 0 [strided.store-stride; SPV_KHR_cooperative_matrix, Cooperative Matrix "
       "Layout: "
       "greater than 0 when passed to OpCooperativeMatrixStoreKHR]"},
      {plain("coopMatLoad(m, b, 0, 25, 0)", {"--array-bytes", "1"}),
       "the matrix starts at byte 0 of its array, with a stride of 25 bytes: both must be multiples of 2 "
       "[strided.alignment; VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986: the lesser of 16 bytes and a "
       "row or "
       "column of the matrix]"},
      {plain("coopMatLoad(m, b, 4, 16, 0)", {"--details"}),
       "the matrix starts at byte 8 of its array, with a stride of 32 bytes: both must be multiples of 16 "
       "[strided.alignment; VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986: the lesser of 16 bytes and a "
       "row or "
       "column of the matrix]",
       true},
      {plain("coopMatLoad(m, b, 0, 4294967295, 0)"),
       "8 rows or columns at a stride of 4294967295 components end after component 2^32 [strided.too-large; "
       "a limit "
       "of this library]"},
      {tensor("coopMatLoad(m, b, 0, 8, 0)"),
       "the matrix has 0 rows and 0 columns; --rows and --columns give it some where it is not declared "
       "[tensor.no-elements; tensor addressing: a matrix has at least "
       "one row and one "
       "column]"},
  };
  return cases;
}

const std::vector<Case>& workItemCases() {
  static const std::vector<Case> cases = {
      {workItem({"--rows", "0", "--columns", "4"}),
       "a matrix of 0 x 4 elements over 32 work-items is empty [workitem.empty; Coopmatrix layout, general "
       "layout]"},
      {workItem({"--rows", "12", "--columns", "4", "--scheme", "tinytc-newer"}),
       "the number of rows, 12, is not a power of two [workitem.rows-power-of-two; Coopmatrix layout, "
       "general layout; older "
       "text, matrix B]"},
      {workItem({"--rows", "24", "--columns", "4", "--work-items", "24", "--scheme", "tinytc-older"}),
       "the subgroup size, 24, is not a power of two [workitem.subgroup-power-of-two; Coopmatrix layout, "
       "general layout; "
       "older text, definitions]"},
      {workItem({"--rows", "24", "--columns", "4", "--work-items", "16", "--scheme", "tinytc-older"}),
       "the number of rows, 24, is not a multiple of the subgroup size, 16 [workitem.rows-multiple; "
       "Coopmatrix layout, older "
       "text, matrix accumulator and matrix A]"},
      {workItem({"--rows", "2", "--columns", "8", "--work-items", "2", "--scheme", "tinytc-older", "--use",
                 "a", "--type", "u8"}),
       "the 4 operands of a channel do not divide the subgroup size, 2, so the VNNI transform has no inverse "
       "[workitem.vnni-divides; Coopmatrix layout, older text, matrix A]"},
      {workItem({"--rows", "1048576", "--columns", "1048576"}),
       "a matrix of 1048576 x 1048576 elements has more than 2^31 elements with its padding "
       "[workitem.too-large; a limit of "
       "this library]"},
      {workItem({"--rows", "4", "--columns", "4", "--element", "4,0"}),
       "element (4, 0) is not in the matrix of 4 rows and 8 columns, padding included [workitem.outside; "
       "Coopmatrix layout, "
       "general layout]"},
      {workItem({"--rows", "4", "--columns", "4", "--element", "-1,0"}),
       "element (-1, 0) is not in the matrix of 4 rows and 8 columns, padding included [workitem.outside; "
       "Coopmatrix layout, "
       "general layout]"},
      {workItem({"--rows", "4", "--columns", "4", "--owner", "0,1"}),
       "work-item 0 of 32 with component 1 of 1 does not exist [workitem.outside-vector; Coopmatrix layout, "
       "work-item "
       "mapping]"},
      {workItem({"--rows", "4", "--columns", "4", "--work-item", "4294967296"}),
       "work-item 4294967296 of 32 with component 0 of 1 does not exist [workitem.outside-vector; Coopmatrix "
       "layout, "
       "work-item mapping]"},
      {workItem({"--rows", "65536", "--columns", "4096"}),
       "a table of 65536 x 4096 cells has more than 1048576 [table.too-large; a limit of cooplayout: tables "
       "of 2^20 cells]"},
      {workItem({"--rows", "65536", "--columns", "4096", "--details", "--load", "0,0,1,1,1,1"}),
       "a table of 32 x 8388608 cells has more than 1048576 [table.too-large; a limit of cooplayout: tables "
       "of 2^20 cells]"},
  };
  return cases;
}

const std::vector<Case>& smemCases() {
  static const std::vector<Case> cases = {
      {smem({"(4,"}),
       "the text cannot be read from character 4 on [cute.syntax; CuTe notation: SHAPE:STRIDE or "
       "Swizzle<B,M,S> o "
       "SHAPE:STRIDE]"},
      {smem({std::string(40, '(')}),
       "tuples are nested deeper than 16 [cute.too-deep; a limit of this library]"},
      {smem({"(4,4):4"}),
       "shape and stride are not tuples of the same form [cute.not-congruent; layout algebra]"},
      {smem({"0:1"}),
       "a shape has the extent 0; extents are at least 1 [cute.shape-positive; layout algebra]"},
      {smem({"(4,1099511627776):(1,4)"}),
       "the layout's size or largest address exceeds 2^40 [cute.too-large; a limit of this library]"},
      {smem({"4:1", "--compose", "4:2"}),
       "coordinate 3 of the right layout has address 6, outside the left layout's 4 coordinates "
       "[cute.outside-domain; layout "
       "algebra, composition]"},
      {smem({"(2,2):(1,10)", "--compose", "(2,2):(1,1)"}),
       "no shape and stride give these addresses: coordinate 3 needs address 10, the strides before it say 2 "
       "[cute.not-a-layout; layout algebra, composition]"},
      {smem({"(4,2):(1,8)", "--compose", "3:2"}),
       "no shape and stride give these addresses: they rise evenly for 2 coordinates, which do not divide 3 "
       "[cute.shape-not-divisible; layout algebra, composition]"},
      {smem({"4:2", "--inverse"}),
       "no coordinate has address 1, so the 7 addresses have gaps and there is no inverse [cute.not-onto; "
       "layout algebra, "
       "inverse]"},
      {smem({"(3,2):(2,3)", "--complement", "12"}),
       "stride 3 is not a multiple of 6, the extent of the smaller strides, so the gaps are not a layout "
       "[cute.complement-stride; layout algebra, complement]"},
      {smem({"4:1", "--complement", "10"}),
       "10 addresses are not a multiple of 4, the extent of the layout [cute.complement-size; layout "
       "algebra, complement]"},
      {smem({"Swizzle<1,4,3> o (8,8)", "--inverse"}),
       "the layout that --inverse undoes has a swizzle [cute.swizzled-operand; layout algebra: shapes and "
       "strides only; a "
       "swizzle can come last]"},
      {smem({"(8,8)", "--compose", "Swizzle<1,4,3> o 8:1"}),
       "the layout of --compose has a swizzle [cute.swizzled-operand; layout algebra: shapes and strides "
       "only; a swizzle can "
       "come last]"},
      {smem({"Swizzle<2,4,1> o 4:1"}),
       "Swizzle<2,4,1>: the 2 bits read and the 2 bits written overlap, since 1 < 2 [swizzle.overlap; PTX "
       "9.7.16.3.3, the "
       "swizzling column]"},
      {smem({"Swizzle<2,60,3> o 4:1"}),
       "Swizzle<2,60,3> reaches beyond bit 63 [swizzle.bits; PTX 9.7.16.3.3, the swizzling column]"},
      // (8, 0) must not be taken for coordinate 8 of 64, which exists.
      {smem({"(8,8)", "--element", "8,0"}),
       "element (8, 0) is not in the layout's 8 rows and 8 columns [cute.outside-columns; layout algebra: "
       "the first mode of "
       "a layout is its rows, the others are its columns]"},
      {smem({"--canonical", "k,32", "--lbo", "16"}),
       "--lbo has no meaning in k,32 [smem.leading-unused; PTX 9.7.16.3.1.1, leading dimension stride: not "
       "used by K-major "
       "layouts with a swizzle, assumed to be 1]"},
      {smem({"8:1", "--bits", "0"}),
       "an element has 0 bits [smem.element-bits; a limit of cooplayout: elements of 1 to 1024 bits]"},
      {smem({"(2048,2048)"}),
       "a table of 2048 x 2048 cells has more than 1048576 [table.too-large; a limit of cooplayout: tables "
       "of 2^20 cells]"},
      {smem({"--canonical", "k,0", "--bits", "24"}),
       "elements of 24 bits do not fill 128 bits: T = 128 / 24 is not a whole number [shared.element-bits; "
       "PTX 9.7.16.3.3, "
       "T]"},
      {smem({"--canonical", "k,0", "--k", "0"}),
       "the numbers of repeating patterns, m = 1 and k = 0, are at least 1 [shared.repeat-zero; PTX "
       "9.7.16.3.3, m and k]"},
      {smem({"--canonical", "k,0", "--sbo", "8"}),
       "a byte offset of 8 is not a multiple of 16 [shared.offset-alignment; PTX 9.7.16.3.3, the examples' "
       "encodings "
       "(offset) >> 4]"},
      {smem({"((8,m),(T,2k)):((4T,SBO),(1,T))"}),
       "'((8,m),(T,2k)):((4T,SBO),(1,T))' is a form with letters: --canonical k,64 makes a layout of it, "
       "with --type, --m, "
       "--k, --sbo [smem.form; PTX 9.7.16.3.3, the table of canonical layouts]"},
      {smem({"--descriptor", "0xa000000000000000"}),
       "swizzle mode 5 is not defined: the modes are 0, 1, 2, 4 and 6 [descriptor.swizzle-invalid; PTX "
       "9.7.16.3, "
       "shared memory "
       "descriptor, bits 61 to 63]"},
      {smem({"8:1", "--access", "2"}),
       "an access of 2 bytes is not of 4, 8 or 16 bytes [banks.access-bytes; shared memory: 32 banks of 4 "
       "bytes]"},
  };
  return cases;
}

// A property that a layout or descriptor lacks is a fact of the answer, not a refusal.
const std::vector<Case>& smemFacts() {
  static const std::vector<Case> cases = {
      {smem({"(2,2):(1,1)", "--details"}),
       "no: coordinates 1 and 2 share the address 1 [cute.not-injective; layout algebra]", true},
      {smem({"Swizzle<1,3,3> o ((8,2),(8,2)):((8,128),(1,64))", "--details"}),
       "no: Swizzle<1,3,3> is not one of Swizzle<0,4,3>, <1,4,3>, <2,4,3>, <3,4,3> [shared.swizzle; PTX "
       "9.7.16.3.3]",
       true},
      {smem({"--canonical", "k,32", "--k", "2", "--details"}),
       "2k = 4 columns of 16 bytes are more than the 2 that lie between two rows of a 32-byte swizzle: rows "
       "overlap "
       "[shared.swizzle-width; follows from ((8,m),(T,2k)):((cT,SBO),(1,T)), PTX 9.7.16.3.3]",
       true},
      {smem({"((4,3),(8,2)):((8,32),(1,64))", "--details"}),
       "no: 12 rows are not a multiple of the 8 of a pattern [shared.canonical-rows; PTX 9.7.16.3.3] "
       "(compared with K-major, "
       "((8,m),(T,2k)):((1T,SBO),(1,LBO)))",
       true},
      {smem({"((8,2),(8,2)):((16,128),(1,64))", "--details"}),
       "no: element (1, 0) is at byte 32, but the canonical layout with the same offsets has it at byte 16 "
       "[shared.canonical-place; PTX 9.7.16.3.3] (compared with K-major, ((8,m),(T,2k)):((1T,SBO),(1,LBO)))",
       true},
      {smem({"((8,2),(8,3)):((8,128),(1,64))", "--details"}),
       "no: 24 columns are not a multiple of the 16 of a pattern [shared.canonical-columns; PTX 9.7.16.3.3] "
       "(compared with "
       "K-major, ((8,m),(T,2k)):((1T,SBO),(1,LBO)))",
       true},
      {smem({"(8,4):(4,1)", "--details"}),
       "none: an access takes 8 elements along a row, and a row has 4 [smem.access-fits; accesses read "
       "elements that are "
       "contiguous]",
       true},
      {smem({"(8,8):(64,2)", "--details"}),
       "none: the 16 bytes at byte 0 are not elements (0, 0) to (0, 7) [smem.access-contiguous; accesses "
       "read elements that "
       "are contiguous]",
       true},
      {smem({"--canonical", "k,0", "--sbo", "262144", "--details"}),
       "none: bits [32, 46) do not hold 16384 [descriptor.range; PTX 9.7.16.3, shared memory descriptor]",
       true},
      {smem({"--descriptor", "0x4000004000010000"}),
       "bits 46 to 48 are 0, but instructions of generation 5 need 1 [descriptor.version; PTX, the shared "
       "memory descriptor "
       "of tcgen05, bits 46 to 48: 0b001; of wgmma: not named]",
       true},
      {smem({"--descriptor", "0x2000004000010000", "--generation", "4"}),
       "bit 52 is 0 and the swizzle mode is 1: generation 4 has neither absolute addresses (bit 52) nor "
       "atoms of 32 bytes "
       "(mode 1) [descriptor.fourth-generation; PTX, the shared memory descriptor of wgmma: swizzle mode in "
       "bits 62 and 63]",
       true},
      {smem({"(8,8):(1,9)", "--details"}),
       "address 18 is not a multiple of the access's 16 bytes [banks.alignment; shared memory: 32 banks of 4 "
       "bytes]",
       true},
      {smem({"--descriptor", "0x0010004000010000"}),
       "an absolute leading dimension address needs swizzle mode 2 (128 bytes with 16-byte atoms), not 0 "
       "[descriptor.absolute-swizzle; PTX 9.7.16.3.1.2.1]",
       true},
      {smem({"--descriptor", "0x4010004000010000", "--instruction", "0x8000"}),
       "an absolute leading dimension address needs K-major operands: transpose bits 1 and 0 of the "
       "instruction descriptor "
       "(bits 15 and 16) must be 0 [descriptor.absolute-major; PTX 9.7.16.3.1.2.1]",
       true},
      {smem({"--descriptor", "0x4012004000010000"}),
       "an absolute leading dimension address needs a base offset of 0, not 1 [descriptor.absolute-base; PTX "
       "9.7.16.3.1.2.1]",
       true},
  };
  return cases;
}

const std::vector<Case>& deviceCases() {
  static const std::vector<Case> cases = {
      {device({"--matrix", "2"}),
       "there is no matrix 2 of the map's 2 [device.matrix-number; the matrices of a map are counted from 0, "
       "as --list "
       "numbers them]"},
      {device({"--element", "33,1"}),
       "element (33, 1) is not in the matrix of 2 rows and 4 columns [measured.element; measured maps, ROWS "
       "and COLUMNS]"},
      {device({"--work-item", "99"}),
       "there is no invocation 99: the matrix lies over 4, from 0 [measured.invocation; measured maps, "
       "INVOCATIONS]"},
      {device({"--owner", "-1,0"}),
       "there is no invocation -1: the matrix lies over 4, from 0 [measured.invocation; measured maps, "
       "INVOCATIONS]"},
      {device({"--owner", "0,3"}),
       "component 3 of invocation 0 holds no element [measured.component; measured maps, owners]"},
  };
  return cases;
}

struct Map {
  const char* text;
  const char* says;  // after the file's name
};
constexpr Map kMaps[] = {
    {"shape 1\n",
     "line 1 does not begin with device, driver, verified, matrix or # [measured.keyword; measured maps, "
     "lines before a "
     "matrix]"},
    {"device D\nmatrix f16 a subgroup 1 2\n",
     "line 2 is not matrix TYPE USE SCOPE ROWS COLUMNS INVOCATIONS with numbers of at least 1 "
     "[measured.header; measured "
     "maps, the line of a matrix]"},
    {"matrix f16 a subgroup 2000 2000 2\n",
     "line 1: the matrices have more than 1048576 elements [measured.too-large; a limit of this library]"},
    {"matrix f16 a subgroup 1 2 2\n0.0\n",
     "line 2 has owners for 1 elements, but a row of the matrix has 2 [measured.row; measured maps, a line "
     "for each row]"},
    {"matrix f16 a subgroup 1 2 2\n0.0 2.0\n",
     "line 2: owner 2 is not INVOCATION.COMPONENT with an invocation below 2 [measured.owner; measured maps, "
     "owners]"},
    {"matrix f16 a subgroup 1 2 2\n0.0 0.0\n",
     "line 2: component 0 of invocation 0 already holds an element [measured.twice; measured maps, a "
     "component holds one "
     "element]"},
    {"matrix f16 a subgroup 2 1 2\n0.0\nmatrix f16 a subgroup 1 1 2\n",
     "line 3: the matrix before has 1 of its 2 elements [measured.unfinished; measured maps, ROWS lines "
     "follow a matrix]"},
    {"device D\n", "there is no matrix in the map [measured.empty; measured maps, at least one matrix]"},
};

// The identifier at the end of a message: "... [identifier; clause]".
std::string identifierOf(const std::string& says) {
  const size_t start = says.rfind(" [") + 2;
  return says.substr(start, says.find(';', start) - start);
}

// Conditions and rules that no command line breaks, or that another test shows.
const std::map<std::string, const char*>& elsewhere() {
  static const std::map<std::string, const char*> reasons = {
      {"module.form", "tensor_module_test.cpp"},
      {"program.no-compiler", "checked below"},
      {"arm-tensor.rank", "glsl_test.cpp"},
      {"arm-tensor.stride", "glsl_test.cpp"},
      {"tensor.clamp-mode",
       "--clamp takes names of modes; a module's number is not checked by the tests of this tool"},
      {"module.operand", "tensor_module_test.cpp"},
      {"file.too-large", "a file of 64 MiB; checked below"},
      {"workitem.component-size", "--type names types of 1, 2, 4 and 8 bytes only"},
      {"workitem.not-packed", "an element that is not packed has no facts of packing"},
      {"cute.stride-negative", "the notation has no negative numbers"},
      {"cute.too-many", "a table of so many cells is refused before"},
      {"cute.outside", "(row, column) is checked before"},
      {"descriptor.address-alignment", "descriptors are decoded, or encoded for address 0"},
      {"descriptor.decode-only", "likewise"},
      {"descriptor.chunk-aligned", "no command asks for slices of K"},
  };
  return reasons;
}

}  // namespace

TEST_CASE("cooplayout: every refusal names its rule, in the whole message") {
  std::set<std::string> shown;
  size_t cases = 0;
  for (const auto* group :
       {&tensorCases(), &plainCases(), &workItemCases(), &smemCases(), &smemFacts(), &deviceCases()}) {
    for (const Case& c : *group) {
      std::string out;
      std::string err;
      const int code = run(c.words, out, err);
      INFO(c.says);
      INFO(out);
      if (c.fact) {
        CHECK(code == 0);
        CHECK(out.find(c.says + std::string("\n")) != std::string::npos);
      } else {
        CHECK(code == 1);
        CHECK(err == "cooplayout: " + std::string(c.says) + "\n");
      }
      shown.insert(identifierOf(c.says));
      ++cases;
    }
  }
  const std::string path = "refused_map.txt";
  for (const Map& map : kMaps) {
    std::ofstream(path) << map.text;
    std::string out;
    std::string err;
    CHECK(run(Words{"device", path}, out, err) == 1);
    CHECK(err == "cooplayout: " + path + ": " + map.says + "\n");
    shown.insert(identifierOf(map.says));
    ++cases;
  }
  CHECK(cases == 17 + 6 + 12 + 40 + 5 + 8);

  // The compiler's diagnostics have tests elsewhere.
  for (const std::string& identifier : coopc::diagnosticIds()) shown.erase(identifier);
  // All conditions and rules are shown, or the list says why not.
  std::set<std::string> all = {
#define CONDITION(name, identifier, clause) identifier,
#include "tools/cooplayout/conditions.def"
#undef CONDITION
  };
  for (size_t i = 0; i < coopc::layout::kRuleCount; ++i)
    all.emplace(coopc::layout::ruleText(static_cast<coopc::layout::Rule>(i)).identifier);
  size_t accounted = 0;
  for (const std::string& identifier : all) {
    INFO(identifier);
    CHECK(shown.contains(identifier) != elsewhere().contains(identifier));
    ++accounted;
  }
  CHECK(accounted == shown.size() + elsewhere().size());
}

TEST_CASE("cooplayout: without the compiler, GLSL and modules are refused, and options are answered") {
  std::string out;
  std::string err;
  CHECK(answer(Words{"tensor", kSquare}, out, err, {}, nullptr) == 1);
  CHECK(err ==
        "cooplayout: GLSL and SPIR-V cannot be read here [program.no-compiler; the page's tab of tensor "
        "addressing "
        "describes tensors by options]\n");
  CHECK(answer(Words{"tensor", "--dimensions", "8,8"}, out, err, {}, nullptr) == 0);
}

TEST_CASE("cooplayout: a file of more than 64 MiB is refused, and one that is not there") {
  const std::string path = "refused_file.txt";
  std::ofstream(path, std::ios::binary).seekp((std::streamoff{64} << 20)).put('x');
  for (const char* command : {"tensor", "device"}) {
    std::string out;
    std::string err;
    const Words words =
        std::string_view(command) == "tensor" ? Words{command, "--file", path} : Words{command, path};
    CHECK(run(words, out, err) == 1);
    CHECK(err == "cooplayout: " + path +
                     " is longer than 64 MiB [file.too-large; a limit of cooplayout: files of 64 MiB]\n");
  }
  std::ofstream(path) << "";
  std::string out;
  std::string err;
  CHECK(run(Words{"device", "/does/not/exist"}, out, err) == 1);
  CHECK(err.starts_with("cooplayout: /does/not/exist cannot be read: "));
}
