// GL_QCOM_image_processing and GL_QCOM_image_processing2: restrictions on the use of textures.
#pragma once

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Called at the end of the text: notes what each texture is used for, and reports textures that these
/// functions and other code use.
void finishImageProcessing(Checker& c);

}  // namespace coopc::frontend
