// A parser of one function for each production, and a printer.
//
//   layout  := [ ("Swizzle" | "Sw") "<" number "," number "," number ">" "o" ] tuple [ ":" tuple ]
//   tuple   := number | "(" tuple { "," tuple } ")"
//   number  := ["_"] digit { digit }
#include "layout/notation.hpp"

namespace coopc::layout {
namespace {

using cute::Tuple;

class NotationParser {
 public:
  explicit NotationParser(std::string_view text) : text_(text) {}

  Answer<cute::SwizzledLayout> layout() {
    Swizzle swizzle;
    if (take("Swizzle") || take("Sw")) {
      int64_t numbers[3] = {};
      const std::string_view before[3] = {"<", ",", ","};
      for (int i = 0; i < 3; ++i) {
        if (!take(before[i])) return syntax();
        const Answer<Tuple> number = this->number();
        if (!number) return number.broken();
        numbers[i] = std::min<int64_t>(number->number, 64);
      }
      if (!take(">") || !take("o")) return syntax();
      const Answer<Swizzle> checked =
          checkedSwizzle(static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1]),
                         static_cast<uint32_t>(numbers[2]));
      if (!checked) return checked.broken();
      swizzle = *checked;
    }
    Answer<Tuple> shape = tuple(0);
    if (!shape) return shape.broken();
    Answer<cute::Layout> layout = Rule::Syntax;
    if (take(":")) {
      Answer<Tuple> stride = tuple(0);
      if (!stride) return stride.broken();
      layout = cute::Layout::make(*std::move(shape), *std::move(stride));
    } else {
      layout = cute::Layout::compact(*std::move(shape));
    }
    skipBlanks();
    if (at_ != text_.size()) return syntax();
    if (!layout) return layout.broken();
    return cute::SwizzledLayout{swizzle, *std::move(layout)};
  }

 private:
  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    skipBlanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Broken syntax() {
    skipBlanks();
    return {Rule::Syntax, {static_cast<int64_t>(at_) + 1}};
  }

  Answer<Tuple> number() {
    take("_");
    skipBlanks();
    const size_t start = at_;
    int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + (text_[at_++] - '0');
      if (value > cute::kMaxSize) return Rule::LayoutTooLarge;
    }
    if (at_ == start) return syntax();
    return Tuple(value);
  }

  Answer<Tuple> tuple(uint32_t depth) {
    if (depth > cute::kMaxDepth) return {Rule::TooDeep, {cute::kMaxDepth}};
    if (!take("(")) return number();
    std::vector<Tuple> items;
    do {
      Answer<Tuple> item = tuple(depth + 1);
      if (!item) return item;
      items.push_back(*std::move(item));
    } while (take(","));
    if (!take(")")) return syntax();
    return Tuple(std::move(items));
  }

  std::string_view text_;
  size_t at_ = 0;
};

void append(std::string& text, const Tuple& tuple) {
  if (tuple.leaf) {
    text += std::to_string(tuple.number);
    return;
  }
  text += '(';
  for (size_t i = 0; i < tuple.items.size(); ++i) {
    if (i != 0) text += ',';
    append(text, tuple.items[i]);
  }
  text += ')';
}

}  // namespace

Answer<cute::SwizzledLayout> parseLayout(std::string_view text) { return NotationParser(text).layout(); }

std::string print(const Tuple& tuple) {
  std::string text;
  append(text, tuple);
  return text;
}

std::string print(const cute::Layout& layout) { return print(layout.shape()) + ":" + print(layout.stride()); }

std::string print(const cute::SwizzledLayout& layout) {
  if (layout.swizzle.bits == 0) return print(layout.layout);
  return "Swizzle<" + std::to_string(layout.swizzle.bits) + "," + std::to_string(layout.swizzle.base) + "," +
         std::to_string(layout.swizzle.shift) + "> o " + print(layout.layout);
}

}  // namespace coopc::layout
