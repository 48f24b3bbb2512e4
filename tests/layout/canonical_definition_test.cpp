// A second implementation of canonical layouts, from the document alone: its printed table, evaluated letter
// by letter, and a search for the parameters that give the same bytes. Both judge thousands of layouts,
// written in many ways.
#include <algorithm>
#include <cctype>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "layout/descriptor.hpp"
#include "layout/notation.hpp"
#include "layout/shared_memory.hpp"

using namespace coopc::layout;

namespace {

// PTX 9.7.16.3.3, the table of canonical layouts: majorness, B of the swizzle, the layout.
struct PrintedRow {
  bool kMajor;
  uint32_t swizzleBits;
  const char* form;
};
constexpr PrintedRow kPrinted[] = {
    {false, 0, "((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))"}, {false, 1, "((T,2,m),(8,k)):((1,T,LBO),(2T,SBO))"},
    {false, 2, "((T,4,m),(8,k)):((1,T,LBO),(4T,SBO))"}, {false, 3, "((T,8,m),(8,k)):((1,T,LBO),(8T,SBO))"},
    {true, 0, "((8,m),(T,2k)):((1T,SBO),(1,LBO))"},     {true, 1, "((8,m),(T,2k)):((2T,SBO),(1,T))"},
    {true, 2, "((8,m),(T,2k)):((4T,SBO),(1,T))"},       {true, 3, "((8,m),(T,2k)):((8T,SBO),(1,T))"},
};

struct Extent {
  int64_t count;
  int64_t stride;
};
// A layout as it is written: the modes of its rows and of its columns, and the swizzle's B, M and S.
struct Written {
  std::vector<Extent> rows;
  std::vector<Extent> columns;
  uint32_t swizzle[3] = {0, 4, 3};

  static int64_t sizeOf(const std::vector<Extent>& modes) {
    int64_t size = 1;
    for (const Extent& mode : modes) size *= mode.count;
    return size;
  }
  static int64_t addressOf(const std::vector<Extent>& modes, int64_t number) {
    int64_t address = 0;
    for (const Extent& mode : modes) {
      address += number % mode.count * mode.stride;
      number /= mode.count;
    }
    return address;
  }
};

// The bit at which each element starts, column by column.
using Bits = std::vector<uint64_t>;

// Bit M + S + b of the byte address is XORed into bit M + b.
uint64_t swizzleBit(const uint32_t (&swizzle)[3], uint64_t bit) {
  uint64_t byte = bit / 8;
  for (uint32_t b = 0; b < swizzle[0]; ++b) {
    if ((byte >> (swizzle[1] + swizzle[2] + b) & 1) != 0) byte ^= uint64_t{1} << (swizzle[1] + b);
  }
  return byte * 8 + bit % 8;
}

Bits bitsOf(const Written& w, uint32_t elementBits) {
  Bits bits;
  for (int64_t c = 0; c < Written::sizeOf(w.columns); ++c) {
    for (int64_t r = 0; r < Written::sizeOf(w.rows); ++r) {
      const int64_t index = Written::addressOf(w.rows, r) + Written::addressOf(w.columns, c);
      bits.push_back(swizzleBit(w.swizzle, static_cast<uint64_t>(index) * elementBits));
    }
  }
  return bits;
}

// The values of the letters in a row of the table. SBO and LBO are in elements.
struct Letters {
  int64_t t, m, k, leading, stride;
  int64_t of(const std::string& letter) const {
    if (letter == "T") return t;
    if (letter == "m") return m;
    if (letter == "k") return k;
    REQUIRE((letter == "LBO" || letter == "SBO"));
    return letter == "LBO" ? leading : stride;
  }
};
Written instance(const PrintedRow& printed, const Letters& letters) {
  std::vector<std::vector<int64_t>> tuples;  // shape of rows, of columns, stride of rows, of columns
  const std::string form = printed.form;
  for (size_t at = 0; at < form.size();) {
    if (form[at] == '(' && form[at + 1] != '(') tuples.emplace_back();
    if (form[at] == '(' || form[at] == ')' || form[at] == ',' || form[at] == ':') {
      ++at;
      continue;
    }
    size_t end = at;
    while (isdigit(form[end]) != 0) ++end;
    int64_t number = end == at ? 1 : std::stoll(form.substr(at, end - at));
    at = end;
    while (isalpha(form[end]) != 0) ++end;
    if (end > at) number *= letters.of(form.substr(at, end - at));
    tuples.back().push_back(number);
    at = end;
  }
  REQUIRE(tuples.size() == 4);
  Written w;
  for (size_t i = 0; i < tuples[0].size(); ++i) w.rows.push_back({tuples[0][i], tuples[2][i]});
  for (size_t i = 0; i < tuples[1].size(); ++i) w.columns.push_back({tuples[1][i], tuples[3][i]});
  w.swizzle[0] = printed.swizzleBits;
  return w;
}

// A result of the search: the row of the table, m, k, and the offsets in bytes.
struct Found {
  size_t row;
  int64_t m;
  int64_t k;
  std::set<int64_t> leading;
  std::set<int64_t> stride;
};

// All rows of the table, with parameters, that give these bits. `tried` has the offsets to try, in bytes.
std::vector<Found> searchCanonical(const Bits& bits, int64_t rows, int64_t columns, uint32_t elementBits,
                                   const std::set<int64_t>& tried) {
  std::vector<Found> all;
  const int64_t t = 128 / elementBits;
  const auto lastElement = [](const std::vector<Extent>& modes) {
    return Written::addressOf(modes, Written::sizeOf(modes) - 1);
  };
  for (size_t row = 0; row < std::size(kPrinted); ++row) {
    // The numbers of repetitions that give the size.
    int64_t m = 1;
    while (Written::sizeOf(instance(kPrinted[row], {t, m, 1, 0, 0}).rows) < rows) ++m;
    int64_t k = 1;
    while (Written::sizeOf(instance(kPrinted[row], {t, m, k, 0, 0}).columns) < columns) ++k;
    const Written sizes = instance(kPrinted[row], {t, m, k, 0, 0});
    if (Written::sizeOf(sizes.rows) != rows || Written::sizeOf(sizes.columns) != columns) continue;
    Found found{row, m, k, {}, {}};
    for (const int64_t leading : tried) {
      for (const int64_t stride : tried) {
        const Written w = instance(kPrinted[row], {t, m, k, leading / 16 * t, stride / 16 * t});
        // The last element is compared first, because it differs most often.
        const int64_t last = lastElement(w.rows) + lastElement(w.columns);
        if (swizzleBit(w.swizzle, static_cast<uint64_t>(last) * elementBits) != bits.back()) continue;
        if (bitsOf(w, elementBits) != bits) continue;
        found.leading.insert(leading);
        found.stride.insert(stride);
      }
    }
    if (!found.leading.empty()) all.push_back(found);
  }
  return all;
}

std::string spellLayout(const std::vector<Extent>& modes, bool strides, bool nested) {
  if (!nested && modes.size() == 1) return std::to_string(strides ? modes[0].stride : modes[0].count);
  std::string text = "(";
  for (const Extent& mode : modes)
    text += (text.size() > 1 ? "," : "") + std::to_string(strides ? mode.stride : mode.count);
  return text + ")";
}
std::string spellLayout(const Written& w, bool nested) {
  const std::string swizzle = "Swizzle<" + std::to_string(w.swizzle[0]) + "," + std::to_string(w.swizzle[1]) +
                              "," + std::to_string(w.swizzle[2]) + "> o ";
  return swizzle + "(" + spellLayout(w.rows, false, nested) + "," + spellLayout(w.columns, false, nested) +
         "):(" + spellLayout(w.rows, true, nested) + "," + spellLayout(w.columns, true, nested) + ")";
}

// Writes the same function in another way: merges modes where possible, splits one, or adds one with a single
// coordinate.
void rewrite(std::vector<Extent>& modes, std::mt19937& random) {
  for (size_t i = 0; i + 1 < modes.size();) {
    const bool merges = modes[i].count * modes[i].stride == modes[i + 1].stride && modes[i].count > 1;
    if (modes[i + 1].count == 1 && random() % 2 == 0) {
      modes.erase(modes.begin() + static_cast<ptrdiff_t>(i) + 1);
    } else if (merges && random() % 2 == 0) {
      modes[i].count *= modes[i + 1].count;
      modes.erase(modes.begin() + static_cast<ptrdiff_t>(i) + 1);
    } else {
      ++i;
    }
  }
  if (random() % 3 == 0) {
    const size_t at = random() % modes.size();
    if (modes[at].count % 2 == 0) {
      const Extent outer{modes[at].count / 2, modes[at].stride * 2};
      modes[at].count = 2;
      modes.insert(modes.begin() + static_cast<ptrdiff_t>(at) + 1, outer);
    }
  }
  if (random() % 4 == 0) modes.push_back({1, static_cast<int64_t>(random() % 100)});
}

struct Judged {
  uint32_t layouts = 0;
  uint32_t canonical = 0;
  uint32_t overlapping = 0;   // of the canonical ones
  uint32_t otherSwizzle = 0;  // written with another swizzle than the canonical layout's
};

void judge(const Written& w, uint32_t elementBits, bool nested, Judged& judged) {
  // Each offset is a stride of the layout, or near one if the layout is written with another swizzle.
  std::set<int64_t> tried;
  for (int64_t bytes = 0; bytes <= 608; bytes += 16) tried.insert(bytes);
  for (const std::vector<Extent>* modes : {&w.rows, &w.columns}) {
    for (const Extent& mode : *modes) tried.insert(mode.stride * elementBits / 128 * 16);
  }
  const Bits bits = bitsOf(w, elementBits);
  const int64_t rows = Written::sizeOf(w.rows);
  const int64_t columns = Written::sizeOf(w.columns);
  const std::string text = spellLayout(w, nested);
  const Answer<cute::SwizzledLayout> layout = parseLayout(text);
  INFO(text << " of " << elementBits << " bits");
  REQUIRE(layout);
  const std::vector<Found> wanted = searchCanonical(bits, rows, columns, elementBits, tried);
  const Answer<Canonical> got = canonicalOf(*layout, elementBits);
  ++judged.layouts;
  if (!got) {
    REQUIRE(wanted.empty());
    return;
  }
  const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const Found& found) {
    const PrintedRow& row = kPrinted[found.row];
    return row.kMajor == (got->major == Major::K) && row.swizzleBits == swizzleOf(got->mode)->bits &&
           found.m == got->m && found.k == got->k;
  });
  REQUIRE(same != wanted.end());
  // If the search finds one value, it is the offset. If it finds several, no address depends on the offset.
  const bool one = same->leading.size() == 1;
  REQUIRE(got->leadingRepeats() == one);
  if (one) REQUIRE(static_cast<int64_t>(got->leadingBytes) == *same->leading.begin());
  REQUIRE(got->strideRepeats() == (same->stride.size() == 1));
  if (got->strideRepeats()) REQUIRE(static_cast<int64_t>(got->strideBytes) == *same->stride.begin());
  ++judged.canonical;
  judged.overlapping += std::set<uint64_t>(bits.begin(), bits.end()).size() < bits.size() ? 1 : 0;
  judged.otherSwizzle += kPrinted[same->row].swizzleBits != w.swizzle[0] ? 1 : 0;
}

}  // namespace

TEST_CASE(
    "shared memory: a second implementation judges thousands of layouts, written in many ways, as the "
    "first") {
  std::mt19937 random(34);
  const auto below = [&](uint32_t n) { return static_cast<int64_t>(random() % n); };
  Judged rewritten;
  Judged changed;
  Judged any;
  constexpr uint32_t kBits[] = {8, 16, 32, 64, 128};
  for (int round = 0; round < 700; ++round) {
    const uint32_t elementBits = kBits[below(5)];
    const int64_t t = 128 / elementBits;
    Written w = instance(kPrinted[below(8)], {t, 1 + below(3), 1 + below(3), below(15) * t, below(15) * t});
    rewrite(w.rows, random);
    rewrite(w.columns, random);
    // Another swizzle gives the same layout if the bits that it reads are never set.
    if (below(3) == 0) w.swizzle[0] = static_cast<uint32_t>(below(4));
    judge(w, elementBits, below(2) == 0, rewritten);
    // Changes one number.
    std::vector<Extent>& modes = below(2) == 0 ? w.rows : w.columns;
    Extent& mode = modes[static_cast<size_t>(below(static_cast<uint32_t>(modes.size())))];
    if (below(2) == 0)
      mode.stride = mode.stride + (below(2) == 0 ? t : 1);
    else
      mode.count = 1 + below(8);
    if (below(4) == 0) w.swizzle[2] = 4;
    judge(w, elementBits, below(2) == 0, changed);
    // A random small layout is mostly not canonical.
    Written small;
    for (std::vector<Extent>* part : {&small.rows, &small.columns}) {
      for (int64_t i = 0; i <= below(3); ++i)
        part->push_back({1 << below(4), below(static_cast<uint32_t>(16 * t))});
    }
    small.swizzle[0] = static_cast<uint32_t>(below(4));
    judge(small, elementBits, below(2) == 0, any);
  }
  CHECK(rewritten.layouts + changed.layouts + any.layouts == 2100);
  CHECK(rewritten.canonical > 450);
  CHECK(rewritten.overlapping > 130);
  CHECK(rewritten.otherSwizzle > 2);
  CHECK(changed.canonical > 20);
  CHECK(changed.layouts - changed.canonical > 320);
  CHECK(any.layouts - any.canonical > 600);
}

TEST_CASE("shared memory: rewriting alone never makes a canonical layout another one") {
  std::mt19937 random(3);
  uint32_t layouts = 0;
  for (const PrintedRow& printed : kPrinted) {
    for (const uint32_t elementBits : {4u, 8u, 16u, 32u, 64u}) {
      for (int64_t m = 1; m <= 4; ++m) {
        for (int64_t k = 1; k <= 4; ++k) {
          const int64_t t = 128 / elementBits;
          Written w = instance(printed, {t, m, k, 40 * t, 200 * t});
          const Answer<Canonical> plain = canonicalOf(*parseLayout(spellLayout(w, true)), elementBits);
          REQUIRE(plain);
          for (int round = 0; round < 4; ++round) {
            Written other = w;
            rewrite(other.rows, random);
            rewrite(other.columns, random);
            INFO(spellLayout(other, false));
            const Answer<Canonical> got = canonicalOf(*parseLayout(spellLayout(other, false)), elementBits);
            REQUIRE(got);
            REQUIRE(*got == *plain);
            REQUIRE(got->m == m);
            REQUIRE(got->k == k);
            if (got->leadingRepeats()) REQUIRE(got->leadingBytes == 640);
            if (got->strideRepeats()) REQUIRE(got->strideBytes == 3200);
            ++layouts;
          }
        }
      }
    }
  }
  CHECK(layouts == 8 * 5 * 16 * 4);
}
