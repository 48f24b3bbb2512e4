// validatePipeline(): the rules between the stages of one pipeline, which cannot be checked on one module
// alone.
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/spirv_version.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/reader.hpp"
#include "spirv/stages.hpp"
#include "spirv/tensors.hpp"
#include "validator/interface.hpp"

namespace coopc {

namespace validator {

namespace {

using Op = spv::Op;
using spv::ExecutionModel;

// A module of the pipeline. Its findings are collected separately, because finish() completes all findings of
// a result.
struct Member {
  Member(const spirv::Module& module, const ValidateOptions& options) : c(module, options, found) {}
  ValidateResult found;
  Context c;

  // Whether a function of the module uses the id.
  bool isUsed(Id id) {
    if (used_.empty()) {
      used_.resize(c.m.bound, false);
      for (size_t n = c.m.functionsAt; n < c.m.instructions.size(); ++n)
        c.m.forEachUse(c.m.instructions[n], [this](Id operand) { used_[operand] = true; });
    }
    return used_[id];
  }

 private:
  IdVector<Id, bool> used_;  // filled when first asked
};

// One stage: an entry point of a member.
struct Stage {
  Member* member = nullptr;
  StageEntry entry;
  std::string_view name() const { return spirv::stageName(uint32_t(entry.model)); }
};

// The order of the stages in a graphics pipeline; no value for the others.
std::optional<int> orderOf(ExecutionModel model) {
  switch (model) {
    case ExecutionModel::TaskNV:
    case ExecutionModel::TaskEXT: return 0;
    case ExecutionModel::MeshNV:
    case ExecutionModel::MeshEXT: return 1;
    case ExecutionModel::Vertex: return 2;
    case ExecutionModel::TessellationControl: return 3;
    case ExecutionModel::TessellationEvaluation: return 4;
    case ExecutionModel::Geometry: return 5;
    case ExecutionModel::Fragment: return 6;
    default: return std::nullopt;
  }
}

const Stage* find(const std::vector<Stage>& stages, ExecutionModel model) {
  const auto found = std::find_if(stages.begin(), stages.end(),
                                  [&](const Stage& stage) { return stage.entry.model == model; });
  return found == stages.end() ? nullptr : &*found;
}

// ------------------------------------------------------------------------------------ which stages there are

bool isRayTracing(ExecutionModel model) {
  return model >= ExecutionModel::RayGenerationKHR && model <= ExecutionModel::CallableKHR;
}

// The rule has several clauses, by the kind of the pipeline: the finding cites the one that is broken.
void reportStage(const Stage& stage, std::string message, std::string_view clause) {
  std::vector<Finding>& findings = stage.member->found.findings;
  const size_t before = findings.size();
  stage.member->c.report(Rule::PipelineStages, stage.entry.instruction, std::move(message));
  if (findings.size() != before) findings.back().clause = clause;
}

std::string withArticle(std::string_view name) {
  const bool vowel = !name.empty() && std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

// A VkComputePipelineCreateInfo has one stage; all stages of a VkRayTracingPipelineCreateInfoKHR are of ray
// tracing.
constexpr std::string_view kOnlyCompute = "Vulkan, VUID-VkComputePipelineCreateInfo-stage-00701";
constexpr std::string_view kOnlyRays = "Vulkan, VUID-VkRayTracingPipelineCreateInfoKHR-stage-06899";

// A compute shader is a pipeline by itself, and only ray tracing has stages that a pipeline has any number
// of.
void checkKindsOfStages(const std::vector<Stage>& stages) {
  const auto kind = [](const Stage& s) {
    return orderOf(s.entry.model) ? "graphics" : isRayTracing(s.entry.model) ? "ray tracing" : "compute";
  };
  for (size_t n = 1; n < stages.size(); ++n) {
    const std::string_view first = kind(stages[0]), here = kind(stages[n]);
    if (first != here)
      reportStage(stages[n],
                  withArticle(stages[n].name()) + " shader stands beside " + withArticle(stages[0].name()) +
                      " shader",
                  first == "ray tracing" || here == "ray tracing" ? kOnlyRays : kOnlyCompute);
    else if (here == "compute")
      reportStage(stages[n], "there is another compute shader", kOnlyCompute);
  }
}

void checkStages(const std::vector<Stage>& stages) {
  checkKindsOfStages(stages);
  bool mesh = false, vertex = false;
  for (size_t n = 0; n < stages.size(); ++n) {
    const Stage& stage = stages[n];
    const std::optional<int> order = orderOf(stage.entry.model);
    mesh = mesh || (order && *order <= 1);
    vertex = vertex || (order && *order >= 2 && *order <= 5);
    const bool repeated = n > 0 && order && stages[n - 1].entry.model == stage.entry.model;
    if (repeated)
      reportStage(stage, "there is another " + std::string(stage.name()) + " shader",
                  "Vulkan, VUID-VkGraphicsPipelineCreateInfo-stage-06897");
  }
  for (const auto& [one, other, missing, clause] :
       {std::tuple(ExecutionModel::TessellationControl, ExecutionModel::TessellationEvaluation,
                   "tessellation evaluation", "Vulkan, VUID-VkGraphicsPipelineCreateInfo-pStages-00729"),
        std::tuple(ExecutionModel::TessellationEvaluation, ExecutionModel::TessellationControl,
                   "tessellation control", "Vulkan, VUID-VkGraphicsPipelineCreateInfo-pStages-00730")}) {
    const Stage* stage = find(stages, one);
    if (stage != nullptr && find(stages, other) == nullptr)
      reportStage(*stage, std::string("there is no ") + missing + " shader", clause);
  }
  if (!mesh || !vertex) return;
  for (const Stage& stage : stages) {
    const std::optional<int> order = orderOf(stage.entry.model);
    if (order && *order >= 2 && *order <= 5)
      reportStage(stage, "a " + std::string(stage.name()) + " shader stands beside a mesh shader",
                  "Vulkan, VUID-VkGraphicsPipelineCreateInfo-pStages-02095");
  }
}

// ------------------------------------------------------------------------------------------- execution modes

// The mode of the entry point that is one of `among`, or nullptr.
const Instruction* modeAmong(const Stage& stage, std::initializer_list<spv::ExecutionMode> among) {
  const spirv::Module& m = stage.member->c.m;
  const Id entry = op::EntryPoint(m, *stage.entry.instruction).entryPoint();
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto mode = as<op::ExecutionMode>(m, m.instructions[n]);
    if (mode && mode.entryPoint() == entry &&
        std::find(among.begin(), among.end(), mode.mode()) != among.end())
      return &m.instructions[n];
  }
  return nullptr;
}

std::string describeMode(const Stage& stage, const Instruction& i) {
  const op::ExecutionMode mode(stage.member->c.m, i);
  std::string text(spirv::enumerantName(spirv::OperandKind::ExecutionMode, uint32_t(mode.mode())));
  for (const uint32_t parameter : mode.parameters()) text += " " + std::to_string(parameter);
  return text;
}

void checkTessellation(const std::vector<Stage>& stages) {
  using Mode = spv::ExecutionMode;
  const Stage* control = find(stages, ExecutionModel::TessellationControl);
  const Stage* evaluation = find(stages, ExecutionModel::TessellationEvaluation);
  if (control == nullptr || evaluation == nullptr) return;
  const std::initializer_list<Mode> kinds[] = {
      {Mode::Triangles, Mode::Quads, Mode::Isolines},
      {Mode::VertexOrderCw, Mode::VertexOrderCcw},
      {Mode::SpacingEqual, Mode::SpacingFractionalEven, Mode::SpacingFractionalOdd},
      {Mode::OutputVertices}};
  for (const auto& kind : kinds) {
    const Instruction* one = modeAmong(*control, kind);
    const Instruction* other = modeAmong(*evaluation, kind);
    if (one == nullptr || other == nullptr) continue;
    const std::string first = describeMode(*control, *one), second = describeMode(*evaluation, *other);
    if (first != second)
      evaluation->member->c.report(
          Rule::PipelineTessellation, other,
          "the mode is " + second + ", but " + first + " in the tessellation control shader");
  }

  const Stage* geometry = find(stages, ExecutionModel::Geometry);
  const Instruction* input =
      geometry == nullptr
          ? nullptr
          : modeAmong(*geometry, {Mode::InputPoints, Mode::InputLines, Mode::InputLinesAdjacency,
                                  Mode::Triangles, Mode::InputTrianglesAdjacency});
  const Stage& declares = modeAmong(*evaluation, kinds[0]) != nullptr ? *evaluation : *control;
  const Instruction* domain = modeAmong(declares, kinds[0]);
  if (input == nullptr || domain == nullptr) return;
  const bool points = modeAmong(*evaluation, {Mode::PointMode}) != nullptr ||
                      modeAmong(*control, {Mode::PointMode}) != nullptr;
  const bool lines = op::ExecutionMode(declares.member->c.m, *domain).mode() == Mode::Isolines;
  const Mode made = points ? Mode::InputPoints : lines ? Mode::InputLines : Mode::Triangles;
  const Mode taken = op::ExecutionMode(geometry->member->c.m, *input).mode();
  if (made != taken)
    geometry->member->c.report(Rule::PipelineTessellation, input,
                               "the input is " + describeMode(*geometry, *input) +
                                   ", but the tessellation makes " +
                                   (points  ? "points"
                                    : lines ? "lines"
                                            : "triangles"));
}

// ---------------------------------------------------------------------------------------- inputs and outputs

std::string describe(const SlotType& type) { return type.empty() ? "no number" : type; }

std::string describe(const InterfaceSlot& slot) {
  return "component " + std::to_string(slot.component) + " of location " + std::to_string(slot.location);
}

std::string describe(const std::vector<spv::Decoration>& interpolation) {
  std::string text;
  for (const spv::Decoration decoration : interpolation)
    text += (text.empty() ? "" : ", ") +
            std::string(spirv::enumerantName(spirv::OperandKind::Decoration, uint32_t(decoration)));
  return text.empty() ? "no decoration" : text;
}

// Two stages, one after the other. Findings stand at the input's variable.
class Passage {
 public:
  Passage(const Stage& from, const Stage& to)
      : from_(from),
        to_(to),
        outputs_(from.member->c, from.entry, spv::StorageClass::Output),
        inputs_(to.member->c, to.entry, spv::StorageClass::Input) {}

  void check() const {
    for (const InterfacePart& input : inputs_.parts())
      if (checkSlots(input)) checkDeclaration(input);
    checkDistances(spv::BuiltIn::ClipDistance);
    checkDistances(spv::BuiltIn::CullDistance);
  }

 private:
  void report(Rule rule, const InterfacePart& input, const std::string& message,
              const InterfacePart* output = nullptr) const {
    std::vector<std::string> notes;
    if (output != nullptr) {
      const Context& c = from_.member->c;
      notes.push_back("the " + std::string(from_.name()) + " shader declares " + outputs_.nameOf(*output) +
                      ", " + c.describe(output->type));
    }
    to_.member->c.report(rule, to_.member->c.m.def(input.variable),
                         "input " + inputs_.nameOf(input) + " " + message, {}, std::move(notes));
  }

  // Whether each word of the input is one of an output, and of the same type. An output may have more.
  bool checkSlots(const InterfacePart& input) const {
    for (const auto& [slot, number] : inputs_.slotsOf(input)) {
      const SlotType* written = outputs_.at(slot);
      if (written == nullptr) {
        const bool otherwise = outputs_.at({!slot.patch, slot.location, slot.component}) != nullptr;
        if (otherwise)
          report(Rule::PipelineDecoration, input,
                 std::string("is ") + (slot.patch ? "" : "not ") +
                     "decorated Patch, but the output at location " + std::to_string(slot.location) + " is" +
                     (slot.patch ? " not" : ""));
        else
          report(Rule::PipelineInput, input,
                 "takes " + describe(slot) + ", which no output of the " + std::string(from_.name()) +
                     " shader has");
        return false;
      }
      if (*written == number) continue;
      report(
          Rule::PipelineComponentType, input,
          "has " + describe(number) + " in " + describe(slot) + ", but the output has " + describe(*written),
          outputs_.beginningAt({input.patch, input.location, input.component}));
      return false;
    }
    return true;
  }

  // Compares an input's declaration with the declaration of the output in the same place. There is none if
  // the output begins elsewhere.
  void checkDeclaration(const InterfacePart& input) const {
    const InterfacePart* output = outputs_.beginningAt({input.patch, input.location, input.component});
    if (output == nullptr) return;
    if (output->perPrimitive != input.perPrimitive)
      report(Rule::PipelineDecoration, input,
             std::string("is ") + (input.perPrimitive ? "" : "not ") +
                 "decorated PerPrimitiveEXT, but the output is" + (input.perPrimitive ? " not" : ""),
             output);
    checkType(input, *output);
    // The fragment shader's decoration counts. One that the output alone has does nothing.
    if (to_.entry.model == ExecutionModel::Fragment && !output->interpolation.empty() &&
        output->interpolation != input.interpolation)
      report(
          Rule::PipelineInterpolation, input,
          "has " + describe(input.interpolation) + ", but the output has " + describe(output->interpolation),
          output);
  }

  // Compilers declare arrays that the program does not use, with any size. Built-in variables of fragment
  // shaders need no match ("Interface Matching"), but an element that no stage wrote is undefined.
  void checkDistances(spv::BuiltIn builtIn) const {
    Context& c = to_.member->c;
    const DistanceArray input = findDistances(c, to_.entry, spv::StorageClass::Input, builtIn);
    if (!input.used || input.length == 0) return;
    const DistanceArray output =
        findDistances(from_.member->c, from_.entry, spv::StorageClass::Output, builtIn);
    const bool fragment = to_.entry.model == ExecutionModel::Fragment;
    if (output.variable && (output.length == 0 || output.length == input.length)) return;
    if (fragment && output.length > input.length) return;
    const std::string name(spirv::enumerantName(spirv::OperandKind::BuiltIn, uint32_t(builtIn)));
    c.report(fragment ? Rule::PipelineFragmentDistances : Rule::PipelineDistances, c.m.def(input.variable),
             "input " + name + " has " + std::to_string(input.length) + " elements, but " +
                 (output.variable ? "the output of the " + std::string(from_.name()) + " shader has " +
                                        std::to_string(output.length)
                                  : "the " + std::string(from_.name()) + " shader has no such output"));
  }

  void checkType(const InterfacePart& input, const InterfacePart& output) const {
    if (output.members != input.members || output.member != input.member) {
      report(Rule::PipelineType, input,
             input.members != 0 && output.members != 0
                 ? "is member " + std::to_string(input.member) + " of a block of " +
                       std::to_string(input.members) + ", but the output is member " +
                       std::to_string(output.member) + " of " + std::to_string(output.members)
                 : std::string("is ") + (input.members != 0 ? "" : "not ") +
                       "a member of a block, but the output is" + (input.members != 0 ? " not" : ""),
             &output);
      return;
    }
    const Context& from = from_.member->c;
    const Context& to = to_.member->c;
    if (equivalentTypes(from, output.type, to, input.type)) return;
    const auto wide = as<op::TypeVector>(from.m, output.type);
    const auto narrow = as<op::TypeVector>(to.m, input.type);
    // "they are declared as OpTypeVector variables": members of blocks are not.
    if (!wide || !narrow || input.members != 0 || wide.componentCount() <= narrow.componentCount()) {
      report(Rule::PipelineType, input,
             "is " + to.describe(input.type) + ", but the output is " + from.describe(output.type), &output);
    } else if (to.m.version < kMaintenance4) {
      report(Rule::PipelineVectorSize, input,
             "has " + std::to_string(narrow.componentCount()) + " components, but the output has " +
                 std::to_string(wide.componentCount()) + ": this needs maintenance4",
             &output);
    }
  }

  static constexpr uint32_t kMaintenance4 = kSpirv16;  // of Vulkan 1.3, as SPIR-V 1.6 is

  const Stage& from_;
  const Stage& to_;
  StageInterface outputs_, inputs_;
};

// -------------------------------------------------------------------------------------------------- payloads

struct Payload {
  Id variable, type;
};

// The payload that the entry point has in its interface and the module uses.
std::optional<Payload> payloadOf(const Stage& stage) {
  const Context& c = stage.member->c;
  for (const Id id : op::EntryPoint(c.m, *stage.entry.instruction).interface()) {
    const auto variable = as<op::Variable>(c.m, id);
    const auto pointer = c.pointer(c.m.typeOf(id));
    if (variable && variable.storageClass() == spv::StorageClass::TaskPayloadWorkgroupEXT && pointer &&
        stage.member->isUsed(id))
      return Payload{id, pointer->pointee};
  }
  return std::nullopt;
}

// If the mesh shader reads a payload, it must be the one that the task shader passes.
void checkPayload(const Stage& task, const Stage& mesh) {
  const std::optional<Payload> read = payloadOf(mesh);
  if (!read) return;
  const auto [payload, type] = *read;
  const Context& from = task.member->c;
  Context& to = mesh.member->c;
  for (const Instruction& i : from.m.instructions) {
    const auto emit = as<op::EmitMeshTasksEXT>(from.m, i);
    if (!emit) continue;
    const auto passed = emit.hasPayload() ? from.pointer(from.m.typeOf(emit.payload())) : std::nullopt;
    if (passed && equivalentTypes(from, passed->pointee, to, type)) continue;
    const std::string_view name = to.nameOf(payload);
    to.report(Rule::PipelinePayload, to.m.def(payload),
              "payload " +
                  (name.empty() ? "%" + std::to_string(payload.index()) : "`" + std::string(name) + "`") +
                  " is " + to.describe(type) + ", but the task shader passes " +
                  (passed ? from.describe(passed->pointee) : "none"));
    return;
  }
}

// -------------------------------------------------------------------------------------------------- ray data

// Numbers that identify a type among the types of several modules. They find types that equivalentTypes()
// accepts quickly.
struct TypeNumber {
  uint32_t exact = 0;  // equal for equivalent types
  uint32_t shape = 0;  // the same without the lengths of arrays
  bool known = false;  // whether all lengths are known; if not, only the shape counts
};

class TypeNumbers {
 public:
  // The numbers of a module's types. Parts of a type are declared before it.
  IdVector<Id, TypeNumber> of(const Context& c) {
    IdVector<Id, TypeNumber> all(c.m.bound);
    for (uint32_t n = 0; n < c.m.functionsAt; ++n) {
      const Instruction& i = c.m.instructions[n];
      if (!i.result) continue;
      Key exact = {uint64_t(i.op())}, shape = exact;
      bool known = true;
      const auto add = [&](uint64_t word) {
        exact.push_back(word);
        shape.push_back(word);
      };
      const auto addPart = [&](Id part) {
        exact.push_back(all[part].exact);
        shape.push_back(all[part].shape);
        known = known && all[part].known;
      };
      if (c.isInt(i.result)) {
        add(c.width(i.result));
        add(c.isSigned(i.result));
      } else if (c.isFloat(i.result)) {
        add(c.width(i.result));
        add(c.encoding(i.result));
      } else if (const auto vector = as<op::TypeVector>(c.m, i)) {
        add(vector.componentCount());
        addPart(vector.componentType());
      } else if (const auto matrix = as<op::TypeMatrix>(c.m, i)) {
        add(matrix.columnCount());
        addPart(matrix.columnType());
      } else if (const auto array = as<op::TypeArray>(c.m, i)) {
        const Value length = c.value(array.length());
        exact.push_back(length.bits);
        addPart(array.elementType());
        known = known && length.known;
      } else if (const auto structure = as<op::TypeStruct>(c.m, i)) {
        for (const Id member : structure.memberTypes()) addPart(member);
      }
      all[i.result] = {number(std::move(exact)), number(std::move(shape)), known};
    }
    return all;
  }

 private:
  using Key = std::vector<uint64_t>;
  uint32_t number(Key key) {
    return numbers_.emplace(std::move(key), uint32_t(numbers_.size() + 1)).first->second;
  }
  std::map<Key, uint32_t> numbers_;
};

// A variable of ray data and the module that declares it.
struct RayData {
  Member* member;
  Id variable, type;
  TypeNumber number;
};

// The variables of a module by their storage classes.
class RayVariables {
 public:
  RayVariables(Member& member, TypeNumbers& numbers) : member_(member) {
    const Context& c = member.c;
    const IdVector<Id, TypeNumber> types = numbers.of(c);
    for (uint32_t n = 0; n < c.m.functionsAt; ++n) {
      const Instruction& i = c.m.instructions[n];
      const auto pointer = i.op() == Op::OpVariable ? c.pointer(i.type) : std::nullopt;
      if (pointer)
        of_[pointer->storage].push_back({&member, i.result, pointer->pointee, types[pointer->pointee]});
    }
  }

  void addDeclared(spv::StorageClass storage, std::vector<RayData>& all) {
    const std::vector<RayData>& those = of_[storage];
    all.insert(all.end(), those.begin(), those.end());
  }
  void addUsed(spv::StorageClass storage, std::vector<RayData>& all) {
    for (const RayData& data : of_[storage])
      if (member_.isUsed(data.variable)) all.push_back(data);
  }

 private:
  Member& member_;
  std::map<spv::StorageClass, std::vector<RayData>> of_;
};

// How many 32-bit floats the type consists of; 0 if it has other parts, or more than two floats.
uint32_t countFloats(const Context& c, Id type, uint32_t depth = 0) {
  constexpr uint32_t kDeepest = 4;
  if (depth > kDeepest) return 0;
  if (c.isFloat(type)) return c.width(type) == 32 ? 1 : 0;
  const auto repeated = [&](uint64_t count, Id part) {
    const uint32_t floats = count > 2 ? 0 : countFloats(c, part, depth + 1) * uint32_t(count);
    return floats > 2 ? 0 : floats;
  };
  if (const auto vector = as<op::TypeVector>(c.m, type))
    return repeated(vector.componentCount(), vector.componentType());
  if (const auto array = as<op::TypeArray>(c.m, type)) {
    const Value length = c.value(array.length());
    return length.known ? repeated(length.bits, array.elementType()) : 0;
  }
  uint32_t floats = 0;
  if (const auto structure = as<op::TypeStruct>(c.m, type))
    for (const Id member : structure.memberTypes()) {
      const uint32_t more = countFloats(c, member, depth + 1);
      if (more == 0 || floats + more > 2) return 0;
      floats += more;
    }
  return floats;
}

// Triangles are hit at two barycentric coordinates (GL_EXT_ray_tracing, 4.3.X: "two 32-bit floating point
// elements", in a structure or not), spheres and swept ones at one (GL_NV_linear_swept_spheres, 4.3.X).
bool isOfGeometry(const Context& c, Id type) {
  const uint32_t floats = countFloats(c, type);
  return floats == 2 ||
         (floats == 1 && (c.declares(spv::Capability::RayTracingSpheresGeometryNV) ||
                          c.declares(spv::Capability::RayTracingLinearSweptSpheresGeometryNV)));
}

std::string describeRayData(const Context& c, Id type) {
  const auto structure = as<op::TypeStruct>(c.m, type);
  if (!structure) return c.describe(type);
  constexpr size_t kMost = 4;
  std::string members;
  const IdRange types = structure.memberTypes();
  for (size_t n = 0; n < std::min<size_t>(types.size(), kMost); ++n)
    members += (n == 0 ? "" : ", ") + c.describe(types[n]);
  return "a struct {" + members + (types.size() > kMost ? ", ..." : "") + "}";
}

// Reports each variable that receives ray data of a type that no shader provides.
void compareRayData(const std::vector<RayData>& taken, const std::vector<RayData>& given,
                    std::string_view what, std::string_view mismatch,
                    FindingSeverity severity = FindingSeverity::Error) {
  std::set<uint32_t> exact, shapes, unknownLengths;
  for (const RayData& data : given) {
    shapes.insert(data.number.shape);
    if (data.number.known)
      exact.insert(data.number.exact);
    else
      unknownLengths.insert(data.number.shape);
  }
  for (const RayData& data : taken) {
    const TypeNumber& number = data.number;
    if (number.known ? exact.count(number.exact) != 0 || unknownLengths.count(number.shape) != 0
                     : shapes.count(number.shape) != 0)
      continue;
    Context& c = data.member->c;
    std::vector<Finding>& findings = data.member->found.findings;
    const size_t before = findings.size();
    if (before >= c.options.maxFindings) {
      c.report(Rule::PipelineRayData, nullptr, {});  // is only counted: finding a name takes long
      continue;
    }
    const std::string_view name = c.nameOf(data.variable);
    c.report(
        Rule::PipelineRayData, c.m.def(data.variable),
        std::string(what) + " " +
            (name.empty() ? "%" + std::to_string(data.variable.index()) : "`" + std::string(name) + "`") +
            " is " + describeRayData(c, data.type) + ", " + std::string(mismatch));
    if (findings.size() != before && !c.options.warningsAsErrors) findings.back().severity = severity;
  }
}

// Only shader binding tables say which shader a call reaches. But some shader of the pipeline must pass each
// payload that another receives, and attributes come from the geometry, an intersection shader or a hit
// object. Findings about attributes are warnings: programs that declare three floats for triangles run. A
// pipeline without a ray generation shader is only a part of a pipeline, and is not checked. Received data
// that nothing uses is not checked either, because optimizers remove it.
void checkRayData(std::deque<Member>& members, const std::vector<Stage>& stages) {
  using spv::StorageClass;
  const Stage* generation = find(stages, ExecutionModel::RayGenerationKHR);
  if (generation == nullptr || !generation->member->c.wants(Rule::PipelineRayData)) return;
  std::set<const Member*> intersecting;
  for (const Stage& stage : stages)
    if (stage.entry.model == ExecutionModel::IntersectionKHR) intersecting.insert(stage.member);
  TypeNumbers numbers;
  std::vector<RayData> payloads, passedPayloads, data, passedData, attributes, madeAttributes;
  for (Member& member : members) {
    RayVariables variables(member, numbers);
    variables.addUsed(StorageClass::IncomingRayPayloadKHR, payloads);
    variables.addDeclared(StorageClass::RayPayloadKHR, passedPayloads);
    variables.addUsed(StorageClass::IncomingCallableDataKHR, data);
    variables.addDeclared(StorageClass::CallableDataKHR, passedData);
    if (intersecting.count(&member) != 0)
      variables.addDeclared(StorageClass::HitAttributeKHR, madeAttributes);
    else
      variables.addUsed(StorageClass::HitAttributeKHR, attributes);
    variables.addDeclared(StorageClass::HitObjectAttributeNV, madeAttributes);
    variables.addDeclared(spirv::enums::StorageClassHitObjectAttributeEXT, madeAttributes);
  }
  attributes.erase(std::remove_if(attributes.begin(), attributes.end(),
                                  [](const RayData& a) { return isOfGeometry(a.member->c, a.type); }),
                   attributes.end());
  compareRayData(payloads, passedPayloads, "payload", "which no shader of the pipeline passes to a ray");
  compareRayData(data, passedData, "callable data", "which no shader of the pipeline passes to a call");
  compareRayData(attributes, madeAttributes, "hit attribute",
                 "which neither triangles nor an intersection shader or hit object of the pipeline has",
                 FindingSeverity::Warning);
}

// ----------------------------------------------------------------------------------------------- descriptors

// Descriptor types that a resource may have ("Shader Resource and Descriptor Type Correspondence").
constexpr uint32_t kSampler = 1u << 0;
constexpr uint32_t kCombined = 1u << 1;
constexpr uint32_t kSampledImage = 1u << 2;
constexpr uint32_t kStorageImage = 1u << 3;
constexpr uint32_t kUniformTexels = 1u << 4;
constexpr uint32_t kStorageTexels = 1u << 5;
constexpr uint32_t kUniformBuffer = 1u << 6;
constexpr uint32_t kStorageBuffer = 1u << 7;
constexpr uint32_t kInputAttachment = 1u << 8;
constexpr uint32_t kAcceleration = 1u << 9;
constexpr uint32_t kTensor = 1u << 10;

constexpr const char* kDescriptorNames[] = {"a sampler",
                                            "a combined image sampler",
                                            "a sampled image",
                                            "a storage image",
                                            "a uniform texel buffer",
                                            "a storage texel buffer",
                                            "a uniform buffer",
                                            "a storage buffer",
                                            "an input attachment",
                                            "an acceleration structure",
                                            "a tensor"};

std::string describeDescriptors(uint32_t types) {
  std::string text;
  for (size_t n = 0; n < std::size(kDescriptorNames); ++n)
    if ((types >> n & 1) != 0) text += (text.empty() ? "" : " or ") + std::string(kDescriptorNames[n]);
  return text;
}

uint32_t imageTypes(const Context& c, Id type) {
  const auto image = as<op::TypeImage>(c.m, type);
  if (!image) return 0;
  const bool stored = image.sampled() == 2;
  if (image.dim() == spv::Dim::SubpassData) return kInputAttachment;
  if (image.dim() == spv::Dim::Buffer) return stored ? kStorageTexels : kUniformTexels;
  return stored ? kStorageImage : kSampledImage | kCombined;
}

uint32_t descriptorTypes(const Context& c, Id variable) {
  const auto pointer = c.pointer(c.m.typeOf(variable));
  if (!pointer) return 0;
  auto [storage, type] = *pointer;
  for (uint32_t depth = 0; depth < Context::kMaxDepth; ++depth) {
    const Op op = c.typeOp(type);
    if (op != Op::OpTypeArray && op != Op::OpTypeRuntimeArray) break;
    type = as<op::TypeOfElements>(c.m, type).elementType();
  }
  if (storage == spv::StorageClass::StorageBuffer) return kStorageBuffer;
  if (storage == spv::StorageClass::Uniform)
    return c.isDecorated(type, spv::Decoration::BufferBlock) ? kStorageBuffer : kUniformBuffer;
  if (storage != spv::StorageClass::UniformConstant &&
      storage != spirv::enums::StorageClassTileAttachmentQCOM)
    return 0;
  switch (c.typeOp(type)) {
    case Op::OpTypeSampler: return kSampler | kCombined;
    case Op::OpTypeSampledImage:
      return imageTypes(c, as<op::TypeSampledImage>(c.m, type).imageType()) == kUniformTexels ? kUniformTexels
                                                                                              : kCombined;
    case Op::OpTypeImage: return imageTypes(c, type);
    case Op::OpTypeAccelerationStructureKHR: return kAcceleration;
    default: return c.typeOp(type) == spirv::enums::OpTypeTensorARM ? kTensor : 0;
  }
}

// A binding may be several variables, which all need one of its descriptor's types.
void checkBindings(std::deque<Member>& members) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> bindings;
  for (Member& member : members) {
    Context& c = member.c;
    for (uint32_t n = 0; n < c.m.functionsAt; ++n) {
      const Instruction& i = c.m.instructions[n];
      if (i.op() != Op::OpVariable) continue;
      const std::optional<uint32_t> set = c.decoration(i.result, spv::Decoration::DescriptorSet);
      const std::optional<uint32_t> binding = c.decoration(i.result, spv::Decoration::Binding);
      const uint32_t types = descriptorTypes(c, i.result);
      if (!set || !binding || types == 0) continue;
      const auto [known, added] = bindings.try_emplace({*set, *binding}, types);
      if (added) continue;
      if ((known->second & types) == 0)
        c.report(Rule::PipelineBinding, &i,
                 "set " + std::to_string(*set) + ", binding " + std::to_string(*binding) + " is " +
                     describeDescriptors(types) + " here, but " + describeDescriptors(known->second) +
                     " in a stage before it");
      else
        known->second &= types;
    }
  }
}

void collectStages(Member& member, std::string_view entryPoint, std::vector<Stage>& stages) {
  const spirv::Module& m = member.c.m;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto entry = as<op::EntryPoint>(m, m.instructions[n]);
    if (!entry || (!entryPoint.empty() && entry.name() != entryPoint)) continue;
    stages.push_back({&member, {&m.instructions[n], entry.executionModel()}});
  }
}

}  // namespace

}  // namespace validator

void validatePipeline(std::span<const PipelineModule> modules, const ValidateOptions& options,
                      std::span<ValidateResult> results) {
  using namespace validator;
  std::deque<spirv::Module> read;
  std::deque<Member> members;
  std::vector<size_t> places;
  std::vector<Stage> stages;
  for (size_t n = 0; n < modules.size() && n < results.size(); ++n) {
    spirv::ReadError error;
    // Nothing is checked unless all modules are readable.
    if (!results[n].readable || !results[n].error.empty()) return;
    std::optional<spirv::Module> module = spirv::readModule(modules[n].words, error, true);
    if (!module) return;
    read.push_back(std::move(*module));
    collectStages(members.emplace_back(read.back(), options), modules[n].entryPoint, stages);
    places.push_back(n);
  }
  std::stable_sort(stages.begin(), stages.end(), [](const Stage& a, const Stage& b) {
    return orderOf(a.entry.model).value_or(7) < orderOf(b.entry.model).value_or(7);
  });

  checkStages(stages);
  checkTessellation(stages);
  for (size_t n = 1; n < stages.size(); ++n) {
    const std::optional<int> from = orderOf(stages[n - 1].entry.model), to = orderOf(stages[n].entry.model);
    if (!from || !to || *from == *to) continue;
    // A task shader's payload is not a variable with a location.
    if (*from != 0)
      Passage(stages[n - 1], stages[n]).check();
    else if (*to == 1)
      checkPayload(stages[n - 1], stages[n]);
  }
  checkRayData(members, stages);
  checkBindings(members);

  for (size_t n = 0; n < members.size(); ++n) {
    members[n].c.finish();
    std::vector<Finding>& findings = members[n].found.findings;
    ValidateResult& result = results[places[n]];
    std::move(findings.begin(), findings.end(), std::back_inserter(result.findings));
    result.dropped += members[n].found.dropped;
  }
}

}  // namespace coopc
