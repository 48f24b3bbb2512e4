// Answers of cooplayout smem about a layout: whether it is canonical, whether it overlaps, which accesses
// conflict, and descriptors of both generations.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/cooplayout/facts.hpp"
#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

using Words = std::vector<std::string>;

// The facts of a command line, as lines "name,value".
std::string factsOf(Words words) {
  words.insert(words.begin(), "smem");
  if (words[1] != "--descriptor") words.emplace_back("--details");
  return coopc::tests::factsOf(std::move(words));
}
using coopc::tests::factOf;

std::string refusalOf(Words words) {
  words.insert(words.begin(), "smem");
  std::string out;
  std::string err;
  CHECK(run(words, out, err) == 1);
  CHECK(out.empty());
  return err;
}

}  // namespace

TEST_CASE("cooplayout smem: whether a layout is canonical is decided by its function, not its text") {
  struct Case {
    Words layout;
    const char* canonical;
    const char* numbers;  // T, m, k
    const char* leading;
    const char* stride;
    const char* descriptor;
  };
  const Case cases[] = {
      // --canonical k,32 of f16, with all modes merged.
      {{"Swizzle<1,4,3> o (8,16):(16,1)"},
       "K-major, swizzle 32 bytes: ((8,m),(T,2k)):((2T,SBO),(1,T))",
       "8, 1, 1",
       "not used, assumed to be 1",
       "256 bytes, encoded 16: from the first 8 rows to the next 8 rows (m = 1: no address depends on it)",
       "0xc000401000010000"},
      // The example of --help.
      {{"Swizzle<3,4,3> o (8,64):(64,1)"},
       "K-major, swizzle 128 bytes: ((8,m),(T,2k)):((8T,SBO),(1,T))",
       "8, 1, 4",
       "not used, assumed to be 1",
       "1024 bytes, encoded 64: from the first 8 rows to the next 8 rows (m = 1: no address depends on it)",
       "0x4000404000010000"},
      // The document's first example, with its first modes merged.
      {{"(16,(4,4)):(4,(1,64))", "--type", "tf32"},
       "K-major, swizzle none: ((8,m),(T,2k)):((1T,SBO),(1,LBO))",
       "4, 2, 2",
       "256 bytes, encoded 16: from the first column to the second column of the 8x2 tile",
       "128 bytes, encoded 8: from the first 8 rows to the next 8 rows",
       "0x400800100000"},
      // MN-major, with the modes of the rows merged and then a mode of one coordinate.
      {{"Swizzle<1,4,3> o ((16,2),(8,2),1):((1,128),(16,256),0)", "--type", "bf16"},
       "MN-major, swizzle 32 bytes: ((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))",
       "8, 2, 2",
       "256 bytes, encoded 16: from the first (swizzle bytes / 16) rows to the next (swizzle bytes / 16) "
       "rows",
       "512 bytes, encoded 32: from the first 8 columns to the next 8 columns",
       "0xc000402000100000"},
  };
  for (const Case& c : cases) {
    INFO(c.layout[0]);
    const std::string facts = factsOf(c.layout);
    CHECK(factOf(facts, "canonical") == c.canonical);
    CHECK(factOf(facts, "T, m, k") == c.numbers);
    CHECK(factOf(facts, "LBO") == c.leading);
    CHECK(factOf(facts, "SBO") == c.stride);
    CHECK(factOf(facts, "descriptor at address 0") == c.descriptor);
    CHECK(factOf(facts, "finding") == "");
  }
}

TEST_CASE("cooplayout smem: a swizzle that acts as another one is named") {
  // Eight rows of 32 bytes reach bit 7 alone, which all three swizzles read.
  const std::string facts = factsOf({"Swizzle<3,4,3> o (8,16):(16,1)"});
  CHECK(factOf(facts, "canonical") ==
        "K-major, swizzle 32 bytes: ((8,m),(T,2k)):((2T,SBO),(1,T)); Swizzle<3,4,3> acts as Swizzle<1,4,3> "
        "here");
}

TEST_CASE(
    "cooplayout smem: the parameters of a layout that overlaps are printed, and the overlap is a finding") {
  const std::string facts = factsOf({"Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4))", "--type", "tf32"});
  CHECK(factOf(facts, "injective") ==
        "no: coordinates 1 and 128 share the address 8 [cute.not-injective; layout algebra]");
  CHECK(factOf(facts, "different addresses") == "136 of 256");
  CHECK(factOf(facts, "canonical") == "K-major, swizzle 32 bytes: ((8,m),(T,2k)):((2T,SBO),(1,T))");
  CHECK(factOf(facts, "T, m, k") == "4, 2, 2");
  CHECK(factOf(facts, "LBO") == "not used, assumed to be 1");
  CHECK(factOf(facts, "SBO") == "256 bytes, encoded 16: from the first 8 rows to the next 8 rows");
  CHECK(factOf(facts, "descriptor at address 0") == "0xc000401000010000");
  CHECK(factOf(facts, "finding") ==
        "2k = 4 columns of 16 bytes are more than the 2 that lie between two rows of a 32-byte swizzle: rows "
        "overlap "
        "[shared.swizzle-width; follows from ((8,m),(T,2k)):((cT,SBO),(1,T)), PTX 9.7.16.3.3]");
  // The same from its parameters.
  const std::string made = factsOf({"--canonical", "k,32", "--type", "tf32", "--m", "2", "--k", "2"});
  CHECK(made == facts);
  // Offsets that are too small.
  const std::string close = factsOf({"--canonical", "mn,0", "--m", "2", "--k", "2", "--sbo", "64"});
  CHECK(factOf(close, "finding") ==
        "the canonical layout overlaps: its offsets are smaller than its patterns");
  CHECK(factOf(close, "SBO") == "64 bytes, encoded 4: from the first row to the next row");
}

TEST_CASE("cooplayout smem: a layout that is not canonical says where it differs from the nearest one") {
  CHECK(factOf(factsOf({"(8,8):(1,8)"}), "canonical") ==
        "MN-major, swizzle none: ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))");
  CHECK(
      factOf(factsOf({"((8,2),(8,2)):((16,128),(1,64))"}), "canonical") ==
      "no: element (1, 0) is at byte 32, but the canonical layout with the same offsets has it at byte 16 "
      "[shared.canonical-place; PTX 9.7.16.3.3] (compared with K-major, ((8,m),(T,2k)):((1T,SBO),(1,LBO)))");
  CHECK(factOf(factsOf({"(8,24):(8,1)"}), "canonical") ==
        "no: 24 columns are not a multiple of the 16 of a pattern [shared.canonical-columns; PTX 9.7.16.3.3] "
        "(compared "
        "with K-major, ((8,m),(T,2k)):((1T,SBO),(1,LBO)))");
}

TEST_CASE("cooplayout smem: conflict-free, yes or no, of the accesses that exist") {
  const std::string swizzled = factsOf({"--canonical", "k,128", "--k", "4", "--m", "4"});
  CHECK(factOf(swizzled, "accesses of 16 bytes down a column") ==
        "conflict-free: yes, 32 accesses in 4 passes");
  CHECK(factOf(swizzled, "without the swizzle, down a column") ==
        "conflict-free: no, 32 accesses in 32 passes instead of 4");
  // 8 rows of 8 elements: 8 accesses of 16 bytes, not 32.
  const std::string few = factsOf({"(8,8):(8,1)"});
  CHECK(factOf(few, "accesses of 16 bytes down a column") == "conflict-free: yes, 8 accesses in 1 pass");
  CHECK(factOf(few, "along a row") == "conflict-free: yes, 8 accesses in 1 pass");
  // Rows of 4 halves have 8 bytes, not 16.
  CHECK(factOf(factsOf({"(8,4):(4,1)"}), "along a row") ==
        "none: an access takes 8 elements along a row, and a row has 4 [smem.access-fits; accesses read "
        "elements that "
        "are contiguous]");
  CHECK(factOf(factsOf({"(8,4):(4,1)", "--access", "8"}), "along a row") ==
        "conflict-free: yes, 8 accesses in 1 pass");
  // The elements of an access must be contiguous in memory.
  CHECK(factOf(factsOf({"(8,8):(64,2)"}), "along a row") ==
        "none: the 16 bytes at byte 0 are not elements (0, 0) to (0, 7) [smem.access-contiguous; accesses "
        "read elements "
        "that are contiguous]");
}

TEST_CASE("cooplayout smem: a form with letters leads to --canonical") {
  CHECK(refusalOf({"Swizzle<1,4,3> o ((8,m),(T,2k)):((2T,SBO),(1,T))"}) ==
        "cooplayout: 'Swizzle<1,4,3> o ((8,m),(T,2k)):((2T,SBO),(1,T))' is a form with letters: --canonical "
        "k,32 makes a "
        "layout of it, with --type, --m, --k, --sbo [smem.form; PTX 9.7.16.3.3, the table of canonical "
        "layouts]\n");
  CHECK(refusalOf({"((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))"}) ==
        "cooplayout: '((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))' is a form with letters: --canonical mn,0 makes a "
        "layout of "
        "it, with --type, --m, --k, --lbo, --sbo [smem.form; PTX 9.7.16.3.3, the table of canonical "
        "layouts]\n");
  CHECK(refusalOf({"((8,m),(T,4k)):((8T,SBO),(1,T))"}) ==
        "cooplayout: '((8,m),(T,4k)):((8T,SBO),(1,T))' has letters, and is none of the canonical layouts, "
        "which "
        "--canonical MAJOR,SWIZZLE makes [smem.form; PTX 9.7.16.3.3, the table of canonical layouts]\n");
}

TEST_CASE("cooplayout smem: descriptors have the version of their generation") {
  const std::string fifth = factsOf({"--canonical", "k,128", "--k", "4"});
  CHECK(factOf(fifth, "descriptor at address 0") == "0x4000404000010000");
  const std::string fourth = factsOf({"--canonical", "k,128", "--k", "4", "--generation", "4"});
  CHECK(factOf(fourth, "descriptor at address 0") == "0x4000004000010000");
  // Decoded, version 0 is a finding for the fifth generation, and any other for the fourth.
  const std::string zero = factsOf({"--descriptor", "0x4000004000010000"});
  CHECK(factOf(zero, "version") == "0");
  CHECK(factOf(zero, "finding") ==
        "bits 46 to 48 are 0, but instructions of generation 5 need 1 [descriptor.version; PTX, the shared "
        "memory "
        "descriptor of tcgen05, bits 46 to 48: 0b001; of wgmma: not named]");
  CHECK(factOf(factsOf({"--descriptor", "0x4000404000010000"}), "finding") == "");
  CHECK(factOf(factsOf({"--descriptor", "0x4000004000010000", "--generation", "4"}), "finding") == "");
  CHECK(
      factOf(factsOf({"--descriptor", "0x4000404000010000", "--generation", "4"}), "finding")
          .starts_with("bits 46 to 48 are 1, but instructions of generation 4 need 0 [descriptor.version; "));
  // The version has three bits.
  CHECK(factOf(factsOf({"--descriptor", "0x4001404000010000"}), "version") == "5");
}
