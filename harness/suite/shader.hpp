// The text of a generated shader: extensions, constants, buffers and the main function, put together in the
// order that the language wants, with numbers given as literals, specialization constants or push constants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {

enum class Use { A, B, Accumulator };
enum class Scope { Subgroup, Workgroup };
/// The memory of a load or store.
enum class Memory { Buffer, Reference, Shared };
/// How numbers reach the shader.
enum class Given { Literal, Specialization, PushConstant };

/// A cooperative matrix type, as a shader of the suite declares it.
struct ShaderMatrix {
  NumberType type = NumberType::F16;
  Scope scope = Scope::Subgroup;
  uint32_t rows = 0;
  uint32_t columns = 0;
  Use use = Use::Accumulator;

  uint32_t count() const { return rows * columns; }
};

std::string_view glslName(NumberType type);
std::string_view useName(Use use);      ///< "a", "b", "acc"
std::string_view memoryName(Memory m);  ///< "buffer", "reference", "shared"
std::string_view givenName(Given g);    ///< "literal", "spec", "push"

class Shader {
 public:
  /// `given` is for number(); dimension() and the workgroup size use a specialization constant unless it is
  /// Literal.
  Shader(uint32_t invocations, Given given) : invocations_(invocations), given_(given) {}

  /// A whole number that the shader reads: its text there.
  std::string number(int64_t value, bool isSigned = false);
  /// A number that must be a constant.
  std::string constant(int64_t value, bool isSigned = false);
  /// "coopmat<...>" with its dimensions given as constant() does; the same text for equal types.
  std::string matrix(const ShaderMatrix& type);

  /// Declares the next buffer, an array of `element`; the text of the array. Memory::Shared: an array in
  /// shared memory of `count` elements, filled from the buffer before main's own statements (and written back
  /// after them if `output`).
  std::string buffer(const std::string& element, Memory memory, std::vector<uint8_t> contents, bool output);

  void useTensors() { nv2_ = true; }
  void useSubgroups() { subgroups_ = true; }
  void useReferences() { references_ = true; }
  /// A declaration before the buffers.
  void type(const std::string& text) { types_ += text + "\n"; }
  /// A declaration or function before main.
  void global(const std::string& text) { globals_ += text + "\n"; }
  /// A statement of main.
  void line(const std::string& text) { body_ += "  " + text + "\n"; }

  /// The whole; `expected` stays empty.
  Program finish();

 private:
  struct Constant {
    std::string name;
    int64_t value = 0;
    bool isSigned = false;
  };
  struct Array {
    std::string element;
    Memory memory = Memory::Buffer;
    uint64_t count = 0;
    bool output = false;
  };
  void note(const std::string& text);

  uint32_t invocations_;
  Given given_;
  bool nv2_ = false;
  bool subgroups_ = false;
  bool references_ = false;
  bool bfloat_ = false;
  std::vector<Constant> constants_;
  std::vector<Constant> pushed_;
  std::vector<Array> arrays_;
  std::vector<std::vector<uint8_t>> contents_;
  std::string types_;
  std::string globals_;
  std::string body_;
};

/// `count` poisoned bytes of a type: NaNs in every float format, -1 or the largest integer.
std::vector<uint8_t> poison(NumberType type, uint64_t count);
/// Integers that every type holds exactly, different for different places as far as its range allows.
int64_t datum(NumberType type, uint64_t place, uint64_t seed);
/// The bits of a whole number, exact.
uint64_t bitsOf(NumberType type, int64_t value);
/// An array of data.
std::vector<uint8_t> dataOf(NumberType type, uint64_t count, uint64_t seed);
/// The bits of component `index`.
inline uint64_t at(NumberType type, const std::vector<uint8_t>& bytes, uint64_t index) {
  return loadBits(type, bytes.data(), index);
}
/// An output of `count` components that must stay as they are, to be filled in.
Expected keepAll(uint32_t buffer, NumberType type, uint64_t count);
inline void put(Expected& expected, uint64_t index, uint64_t bits) {
  expected.bits[index] = bits;
  expected.kinds[index] = Expected::kValue;
}

}  // namespace coopc::harness::suite
