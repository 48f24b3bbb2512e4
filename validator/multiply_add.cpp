// OpCooperativeMatrixMulAddKHR.
#include "validator/context.hpp"

namespace coopc::validator {

void checkMultiplyAdd(Context& c, const Instruction& i) {
  const auto mulAdd = as<op::CooperativeMatrixMulAddKHR>(c.m, i);
  if (!mulAdd) return;
  const char* names[] = {"A", "B", "C", "the result"};
  const Id types[] = {c.m.typeOf(mulAdd.a()), c.m.typeOf(mulAdd.b()), c.m.typeOf(mulAdd.c()), i.type};
  MatrixOperands t[4];
  for (uint32_t n = 0; n < 4; ++n) {
    const auto matrix = c.matrix(types[n]);
    if (!matrix.has_value()) {
      return c.report(Rule::MulAddMatrix, &i,
                      std::string(names[n]) + " is " + c.describe(types[n]) + ", not a cooperative matrix");
    }
    t[n] = *matrix;
  }
  bool usesFit = true;
  for (uint32_t n = 0; n < 4; ++n) {
    const Value use = c.value(t[n].use);
    if (use.known && use.bits != (n < 2 ? n : 2)) {
      usesFit = false;
      c.report(Rule::MulAddUse, &i, std::string(names[n]) + " is a " + c.describe(types[n]), use.byDefault);
      break;
    }
  }
  const struct {
    Id a, b;
    const char* text;
  } pairs[] = {{t[0].rows, t[3].rows, "the rows of A and of the result"},
               {t[0].columns, t[1].rows, "the columns of A and the rows of B"},
               {t[1].columns, t[3].columns, "the columns of B and of the result"},
               {t[2].rows, t[3].rows, "the rows of C and of the result"},
               {t[2].columns, t[3].columns, "the columns of C and of the result"}};
  for (const auto& pair : pairs) {
    const Equal e = c.equal(pair.a, pair.b);
    if (usesFit && e == Equal::No) {
      c.report(Rule::MulAddShape, &i,
               std::string(pair.text) + " differ: " + c.describe(c.value(pair.a)) + " and " +
                   c.describe(c.value(pair.b)),
               c.defaults(pair.a, pair.b));
      break;
    }
  }
  for (uint32_t n = 0; n < 3; ++n) {
    if (c.equal(t[n].scope, t[3].scope) == Equal::No) {
      c.report(Rule::MulAddScope, &i, std::string("the scopes of ") + names[n] + " and the result differ",
               c.defaults(t[n].scope, t[3].scope));
      break;
    }
  }
  const auto mask = uint32_t(mulAdd.cooperativeMatrixOperands());
  for (uint32_t n = 0; n < 4; ++n) {
    const bool flag = (mask >> n & 1) != 0;
    if (flag && !c.isInt(t[n].component)) {
      c.report(Rule::MulAddSignedFloat, &i,
               std::string("the components of ") + names[n] + " are " + c.describe(t[n].component) +
                   ", not integers, but declared to be signed");
    } else if (c.isInt(t[n].component) && flag != c.isSigned(t[n].component) && c.shader()) {
      c.report(Rule::MulAddSigned, &i,
               std::string("the components of ") + names[n] + " are " + c.describe(t[n].component) +
                   ", but are " + (flag ? "" : "not ") + "declared to be signed");
    }
  }
  if ((mask & uint32_t(spv::CooperativeMatrixOperandsMask::SaturatingAccumulationKHR)) != 0 &&
      !c.isInt(t[3].component)) {
    c.report(
        Rule::MulAddSaturation, &i,
        "the result has components of " + c.describe(t[3].component) + ", but saturation is for integers");
  }
}

}  // namespace coopc::validator
