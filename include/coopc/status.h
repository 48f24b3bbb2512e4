/* How a call of the library ended, for all interfaces.

   Ownership: nothing here is the caller's to destroy. Threads: there is no state. Errors: a number that is not a status has a text
   as well. Units: none. */
#ifndef COOPC_STATUS_H
#define COOPC_STATUS_H

#include "coopc/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum coopc_status {
  COOPC_STATUS_OK = 0,
  COOPC_STATUS_INPUT_ERROR = 1,  /* the shader or the module has errors: the diagnostics say which */
  COOPC_STATUS_BAD_ARGUMENT = 2, /* options or arguments are invalid; nothing was done */
  COOPC_STATUS_OUT_OF_MEMORY =
      3, /* or a memory limit was exceeded; also the status of a result that is NULL */
  COOPC_STATUS_HELPER_MISSING = 4, /* the text needs the program coopc-glslang, which was not found */
  COOPC_STATUS_INTERNAL = 5,       /* a defect of the library or of the helper; the diagnostics say where */
  COOPC_STATUS_CANCELLED = 6,      /* by the caller */
  COOPC_STATUS_CALLBACK_FAILED = 7 /* a callback of the caller's threw an exception */
} coopc_status;

/* "wrong argument", for example; "unknown status" for other numbers. The text lives as long as the program. */
COOPC_API const char* coopc_status_text(coopc_status status);

#ifdef __cplusplus
}
#endif

#endif
