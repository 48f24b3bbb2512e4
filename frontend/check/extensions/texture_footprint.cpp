// GL_NV_shader_texture_footprint, 8.9.X: two structures that the language declares.
#include "frontend/check/extensions/texture_footprint.hpp"

#include <vector>

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

TypeId footprintType(Checker& c, bool threeD) {
  Program& p = c.program;
  TypeId& known = p.footprintTypes[threeD ? 1 : 0];
  if (known != kErrorType) return known;
  const auto member = [&](std::string_view name, TypeId type) {
    Member m;
    m.name = c.names.intern(name);
    m.type = type;
    if (c.es) m.precision = Precision::High;
    return m;
  };
  const TypeId position = basicType(Scalar::Uint, threeD ? 3 : 2);
  const std::vector<Member> members = {member("anchor", position), member("offset", position),
                                       member("mask", basicType(Scalar::Uint, 2)), member("lod", kUint),
                                       member("granularity", kUint)};
  StructInfo s;
  s.name = c.names.intern(threeD ? "gl_TextureFootprint3DNV" : "gl_TextureFootprint2DNV");
  s.members = p.members.addAll(members);
  finishStruct(c, s);
  return known = p.types.structure(p.structs.add(s));
}

}  // namespace coopc::frontend
