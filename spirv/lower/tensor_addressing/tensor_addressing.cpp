// Tensor loads and stores become per-element operations, whose function computes the element's address.
//
//   %m = OpCooperativeMatrixLoadTensorNV %T %pointer %object %layout ...
//   %m = OpCooperativeMatrixPerElementOpNV %T %object %load %number ...      T load(row, column, element,
//                                                                            numbers)
//
// The path of one operation through the files of this folder:
//
//   values.cpp           layouts and views become numbers, of which many are known
//   read_access.cpp      the operation becomes an Access: dimensions, clip region, memory (pointer.cpp) and
//                        decode function (decode.cpp)
//   access_function.cpp  the function for one element: its place (element_address.cpp), its load or store
//                        (number_access.cpp) or call of the decode function (decode_call.cpp)
//   wide_access.cpp      the function for 16 bytes
//   this file            calls the functions, with and without checks, and shares equal ones
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/access_function.hpp"
#include "spirv/lower/tensor_addressing/element_address.hpp"
#include "spirv/lower/tensor_addressing/read_access.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv::lower {

namespace {

using namespace tensor;
using layout::ClampMode;

std::string_view modeName(ClampMode mode) {
  switch (mode) {
    case ClampMode::Undefined: return "Undefined";
    case ClampMode::Constant: return "Constant";
    case ClampMode::ClampToEdge: return "ClampToEdge";
    case ClampMode::Repeat: return "Repeat";
    case ClampMode::MirrorRepeat: return "RepeatMirrored";
  }
  return {};
}

class TensorLowering {
 public:
  TensorLowering(Module& module, const TensorOptions& options, Report& report)
      : m_(module),
        report_(report),
        c_(module),
        matrices_(matrixTypes(module, report)),
        values_(c_, report),
        pointers_(c_, report),
        accesses_(c_, matrices_, values_, pointers_, options, report) {}

  std::vector<TensorFunction> run() {
    if (report_.isRefused()) return {};
    c_.writer.rewrite([&](const Instruction& i) { return !report_.isRefused() && rewrite(i); });
    if (!report_.isRefused() && c_.writer.fault())
      report_.refuse(Refusal::ControlFlow, "a tensor load or store is in a loop header that cannot be split");
    if (!report_.isRefused() && m_.overflow())
      report_.refuse(Refusal::Limit, "the lowered module would need more ids than SPIR-V allows");
    if (report_.isRefused()) return {};
    values_.replaceTypes();
    declare();
    c_.finish();
    return std::move(made_);
  }

 private:
  bool rewrite(const Instruction& i) {
    if (i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV ||
        i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV) {
      if (const std::optional<Access> access = accesses_.read(i)) write(i, *access);
      return true;
    }
    return values_.write(i);
  }

  void write(const Instruction& i, const Access& a) {
    const Id object = op::LoadOrStoreTensor(m_, i).object();
    report(a);
    writePerElement(a, object, i.result);
  }

  // Whether several components share a number of shared memory that has no atomic operations.
  bool storesInTurns(const Access& a) const {
    const Memory& m = a.memory;
    const Instruction* unit = c_.globals.definition(m.unit);
    if (!a.store || !m.unit || m.unitBits <= a.matrix.componentBits || a.storedPart != kNone) return false;
    return m.unitBits != 32 || unit == nullptr || unit->op() != spv::Op::OpTypeInt;
  }

  // First all invocations store the components that are the first ones of their numbers, then the second ones
  // and so on, so that no two change a number at the same time.
  void storeInTurns(const Access& a, Id object, Id result) {
    const uint32_t parts = a.memory.unitBits / a.matrix.componentBits;
    c_.shared.barrier(a.matrix.scope);
    for (uint32_t n = 0; n < parts; ++n) {
      Access part = a;
      part.storedPart = n;
      writePerElement(part, object, n + 1 == parts ? result : Id());
      c_.shared.barrier(a.matrix.scope);
    }
  }

  void writePerElement(const Access& a, Id object, Id result) {
    if (storesInTurns(a)) return storeInTurns(a, object, result);
    // The key has all properties in which functions differ: global ids, and the positions of the other
    // operands.
    std::vector<Id> operands;
    std::vector<uint32_t> key{a.store,
                              a.matrix.type.index(),
                              uint32_t(a.mode),
                              uint32_t(a.dimensions.size()),
                              a.view == nullptr ? 0 : a.view->type.index(),
                              a.viewPacked,
                              a.operands.mask,
                              a.operands.available.index(),
                              a.operands.visible.index(),
                              a.storedPart,
                              uint32_t(a.memory.kind),
                              uint32_t(a.memory.storage),
                              a.memory.variable.index(),
                              a.memory.element.index(),
                              a.memory.nonUniform,
                              a.vectors.variable.index(),
                              a.decode.index(),
                              a.decodeIndexed.index(),
                              a.decodeVector.index(),
                              a.decodeVectorIndexed.index(),
                              uint32_t(a.memory.indices.size())};
    key.insert(key.end(), a.memory.extents.begin(), a.memory.extents.end());
    for (const Dimension& d : a.dimensions) key.push_back(d.checked * 2u + d.inBase);
    a.forEachId([&](Id id) {
      if (!id || c_.globals.has(id)) return key.push_back(id.index());
      const auto at = std::find(operands.begin(), operands.end(), id);
      key.push_back(0x80000000u + uint32_t(at - operands.begin()));
      if (at == operands.end()) operands.push_back(id);
    });
    Written& written = functions_[key];
    if (!written.function) {
      TensorFunction made = writeAccessFunctions(c_, pointers_, a, operands, written.order);
      written.function = made.function;
      written.made = made_.size();
      made_.push_back(std::move(made));
    }
    if (a.start) made_[written.made].promised.push_back({a.start, a.startZeros});
    std::vector<Id> arguments;
    for (const uint32_t n : written.order) arguments.push_back(operands[n]);
    // A store has no result, but this instruction needs one, which is not used.
    if (!result) result = m_.newId();
    c_.makeAs<op::CooperativeMatrixPerElementOpNV>(
        a.matrix.type, result, {.matrix = object, .func = written.function, .operands = arguments});
  }

  void report(const Access& a) {
    Report::Rewrite r;
    r.what = std::string(a.store ? "OpCooperativeMatrixStoreTensorNV" : "OpCooperativeMatrixLoadTensorNV") +
             " of a " + describe(a.matrix);
    r.into = std::string("explicit addresses, clamp mode ") + std::string(modeName(a.mode));
    if (a.mode != ClampMode::Undefined && !a.checks()) r.into += ", inside by its constants";
    if (a.clips()) r.into += ", clipped";
    if (storesInTurns(a))
      r.into += ", the " + std::to_string(a.memory.unitBits / a.matrix.componentBits) +
                " components of a number in turn, with barriers";
    if (a.decode)
      r.into += a.decodeVector ? ", a decode function called for vectors, or for each element"
                               : ", a decode function called for each element";
    report_.rewrites.push_back(std::move(r));
  }

  // Declares what per-element operations require, and removes what tensor addressing required.
  void declare() {
    if (!made_.empty()) {
      c_.preamble.capability(spv::Capability::CooperativeMatrixPerElementOperationsNV);
      c_.preamble.extension("SPV_NV_cooperative_matrix2");
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      const auto declaration = as<op::Capability>(m_, i);
      const std::string_view extension = as<op::Extension>(m_, i).name();
      const bool gone = (declaration && isGone(declaration.capability())) ||
                        extension == "SPV_NV_tensor_addressing" ||
                        extension == "SPV_NV_cooperative_matrix_decode_vector";
      if (gone) m_.instructions[n].opcode = uint16_t(spv::Op::OpNop);
    }
  }
  static bool isGone(spv::Capability capability) {
    return capability == spv::Capability::TensorAddressingNV ||
           capability == spv::Capability::CooperativeMatrixTensorAddressingNV ||
           capability == spv::Capability::CooperativeMatrixBlockLoadsNV ||
           capability == enums::CapabilityCooperativeMatrixDecodeVectorNV;
  }

  struct Written {
    Id function;
    size_t made = 0;  // index into made_
    std::vector<uint32_t> order;
  };

  Module& m_;
  Report& report_;
  Code c_;
  const std::vector<MatrixType> matrices_;
  Values values_;
  Pointers pointers_;
  AccessReader accesses_;
  std::map<std::vector<uint32_t>, Written> functions_;
  std::vector<TensorFunction> made_;
};

}  // namespace

bool usesTensorAddressing(const Module& module) {
  return std::any_of(module.instructions.begin(), module.instructions.begin() + module.functionsAt,
                     [](const Instruction& i) {
                       return i.op() == spv::Op::OpTypeTensorLayoutNV ||
                              i.op() == spv::Op::OpTypeTensorViewNV;
                     });
}

void simplifyTensorValues(Module& module) {
  Graphs graphs;
  removeUnreachable(module, graphs);
  simplifyVariables(module, graphs, {.fold = true, .shareCommon = false});
  simplifyControlFlow(module, graphs);
}

std::vector<TensorFunction> lowerTensorAddressing(Module& module, const TensorOptions& options,
                                                  Report& report) {
  if (!usesTensorAddressing(module)) return {};
  if (!options.isSimplified) simplifyTensorValues(module);
  return TensorLowering(module, options, report).run();
}

}  // namespace coopc::spirv::lower
