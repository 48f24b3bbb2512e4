// Vertices and primitives of geometry shaders, mesh workgroups of task shaders (GL_EXT_mesh_shader), and
// calls that end a block.
#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Writes OpEmitMeshTasksEXT, with the payload if one is declared. It ends the block.
void emitMeshTasks(const BuiltinCall& c) {
  Emitter& e = c.e;
  const Id x = c.arg(0), y = c.arg(1), z = c.arg(2);
  Id payload;
  for (const VarId g : e.program.globals)
    if (e.program.variables[g].storage == Storage::TaskPayload) payload = e.variables.slot(g).id;
  e.make<op::EmitMeshTasksEXT>({.groupCountX = x, .groupCountY = y, .groupCountZ = z, .payload = payload});
  e.open = false;
}

}  // namespace

void emitEndingCall(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (c.o == BuiltinOp::EmitMeshTasks)
    emitMeshTasks(c);
  else
    emitAbort(e, call);
}

Id emitEndingValue(Emitter& e, ExprId call) {
  emitEndingCall(e, call);
  e.startBlock(e.b.id());  // what follows in the expression is never reached
  return {};
}

Id emitPrimitiveBuiltin(Emitter& e, ExprId call) {
  switch (e.expr(call).builtin()) {
    case BuiltinOp::EmitMeshTasks: return emitEndingValue(e, call);
    case BuiltinOp::EmitVertex: return emitStatement(e, call, spv::Op::OpEmitVertex);
    case BuiltinOp::EndPrimitive: return emitStatement(e, call, spv::Op::OpEndPrimitive);
    case BuiltinOp::EmitStreamVertex: return emitStatement(e, call, spv::Op::OpEmitStreamVertex);
    case BuiltinOp::EndStreamPrimitive: return emitStatement(e, call, spv::Op::OpEndStreamPrimitive);
    default: return emitInstructionRow(e, call);
  }
}

}  // namespace coopc::emit
