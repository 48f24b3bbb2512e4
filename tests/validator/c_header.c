/* The C interface compiles as C. */
#include "coopc/validate.h"

int coopc_c_header_use(const uint32_t* words, size_t count);

int coopc_c_header_use(const uint32_t* words, size_t count) {
  coopc_findings* findings = coopc_validate(words, count, NULL);
  const int ok = findings != NULL && coopc_findings_ok(findings);
  coopc_findings_destroy(findings);
  return ok;
}
