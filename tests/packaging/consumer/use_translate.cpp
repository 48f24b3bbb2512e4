// Compiles a shader and writes it in each language.
#include <coopc/coopc.hpp>
#include <coopc/translate.hpp>

int main() {
  const coopc::Result module = coopc::compile("#version 450\nvoid main() {}\n", "a.comp", {});
  for (const auto language :
       {coopc::ShadingLanguage::Glsl, coopc::ShadingLanguage::Hlsl, coopc::ShadingLanguage::Msl}) {
    coopc::TranslateOptions options;
    options.language = language;
    if (coopc::translate(module.words, options).text.empty()) return 1;
  }
  return 0;
}
