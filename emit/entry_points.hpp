// The entry point: its execution model and interface, and by stage the execution modes and the capability
// that it needs.
#pragma once

#include <array>
#include <initializer_list>

#include "emit/declarations.hpp"

namespace coopc::emit {

class EntryPoint : public Part {
 public:
  EntryPoint(ModuleState& m, Declarations& declarations) : Part(m), declared_(declarations) {}

  void declareStage();
  /// Declares the size of the workgroup where specialization constants change it.
  void writeLocalSizes();
  void writeExecutionModes(Id entry);
  /// Writes OpEntryPoint. The interface is complete when all functions are written.
  void write(Id entry);

 private:
  void writeMode(Id entry, spv::ExecutionMode mode);
  void writeMode(Id entry, spv::ExecutionMode mode, std::initializer_list<Word> parameters);
  void writeStageModes(Id entry, const frontend::WorkgroupEntry& workgroup);
  void writeStageModes(Id entry, const frontend::PlainEntry& plain);
  void writeStageModes(Id entry, const frontend::PrimitiveEntry& primitives);
  void writeStageModes(Id entry, const frontend::MeshEntry& mesh);
  void writeStageModes(Id entry, const frontend::FragmentEntry& fragment);
  void writeStencilMode(Id entry, frontend::StencilLayout layout,
                        const std::array<spv::ExecutionMode, 3>& modes);
  bool isMeshNV() const;  ///< a task or mesh shader of GL_NV_mesh_shader
  bool writes(spv::BuiltIn builtin) const;
  bool traces() const;  ///< whether the module may trace rays

  Declarations& declared_;
  std::array<Id, 3> localSizeIds_{};  ///< none: literals
};

}  // namespace coopc::emit
