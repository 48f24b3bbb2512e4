// CuTe's notation for layouts, read and written: "((8,2),(4,2)):((8,64),(1,4))", preceded by "Swizzle<1,4,3>
// o " if byte addresses are swizzled.
#pragma once

#include <string>
#include <string_view>

#include "cute.hpp"

namespace coopc::layout {

/// Reads a layout. Blanks are allowed between tokens, "Sw<...>" for "Swizzle<...>", and "_8" for 8 (an
/// integer that is known at compile time). Without ":STRIDE" the layout is compact, its leftmost mode
/// fastest; without a swizzle it is Swizzle<0,4,3>. An error names the character, counted from 1.
Answer<cute::SwizzledLayout> parseLayout(std::string_view text);

std::string print(const cute::Tuple& tuple);
std::string print(const cute::Layout& layout);
/// Includes the swizzle, unless it is Swizzle<0,M,S>, which does nothing.
std::string print(const cute::SwizzledLayout& layout);

}  // namespace coopc::layout
