// Transform feedback (GLSL 4.60, 4.4.2.1): which outputs are captured, to which bytes of which buffer.
#pragma once

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

/// `layout(xfb_buffer = ..., xfb_stride = ...) out;`
void declareCaptureDefaults(Checker& c, const LayoutQualifiers& layout);
/// The capture of an output, or of a member of a block (`outer`: the block's qualifiers).
void captureQualifiers(Checker& c, const Qualifiers& q, const Qualifiers* outer, NameId name,
                       Interface& part);
/// Called at the end of the text: checks offsets of blocks' members, overlaps and strides.
void finishCapture(Checker& c);

}  // namespace coopc::frontend
