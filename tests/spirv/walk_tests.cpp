// The walk over a module's words, which must end whatever the words are.
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"

namespace coopc::tests {
namespace {

using spirv::instructionHead;
using spirv::InstructionWalk;
using Fault = InstructionWalk::Fault;

std::vector<uint32_t> module(std::initializer_list<uint32_t> instructions) {
  std::vector<uint32_t> words{spv::MagicNumber, 0x00010600, 0, 10, 0};
  words.insert(words.end(), instructions);
  return words;
}

TEST_CASE("a walk stands on each instruction once") {
  const std::vector<uint32_t> words =
      module({instructionHead(spv::Op::OpCapability, 2), 1, instructionHead(spv::Op::OpNop, 1),
              instructionHead(spv::Op::OpName, 4), 7, 0x64636261, 0x00000065});
  InstructionWalk i(words);
  REQUIRE(i.next());
  CHECK(i.op() == spv::Op::OpCapability);
  CHECK(i.at() == 5);
  CHECK(i.length() == 2);
  CHECK(i[1] == 1);
  CHECK(i[2] == 0);
  REQUIRE(i.next());
  CHECK(i.op() == spv::Op::OpNop);
  CHECK(i.text(1).empty());
  REQUIRE(i.next());
  CHECK(i.op() == spv::Op::OpName);
  CHECK(i.words().data() == words.data() + 8);
  CHECK(i.words().size() == 4);
  CHECK(i.text(2) == "abcde");
  CHECK_FALSE(i.next());
  CHECK_FALSE(i.next());
  CHECK(i.fault() == Fault::None);
  CHECK(i.at() == words.size());
}

TEST_CASE("wrong word counts end a walk where they stand") {
  const auto end = [](const std::vector<uint32_t>& words, size_t visited, Fault fault, size_t at) {
    InstructionWalk i(words);
    size_t n = 0;
    while (i.next()) ++n;
    CHECK(n == visited);
    CHECK(i.fault() == fault);
    CHECK(i.at() == at);
    CHECK_FALSE(i.next());
    CHECK(i.at() == at);
  };
  const uint32_t nop = instructionHead(spv::Op::OpNop, 1);
  end(module({}), 0, Fault::None, 5);
  end(module({nop, 0, nop}), 1, Fault::NoWords, 6);
  end(module({nop, instructionHead(spv::Op::OpNop, 3), 1}), 1, Fault::PastEnd, 6);
  end(module({0xFFFFFFFF}), 0, Fault::PastEnd, 5);
  end({spv::MagicNumber, 1, 2}, 0, Fault::None, 5);
  end({}, 0, Fault::None, 5);
}

TEST_CASE("text without a zero byte ends with its instruction") {
  const std::vector<uint32_t> words = module(
      {instructionHead(spv::Op::OpExtension, 2), 0x64636261, instructionHead(spv::Op::OpExtension, 1)});
  InstructionWalk i(words);
  REQUIRE(i.next());
  CHECK(i.text(1) == "abcd");
  REQUIRE(i.next());
  CHECK(i.text(1).empty());
}

}  // namespace
}  // namespace coopc::tests
