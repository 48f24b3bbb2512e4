/* The validator as a library, for C. validate.hpp says more about each option and result.

   Ownership: handles belong to the caller, who destroys them; destroying NULL does nothing. Texts live as long as the handle that returned
   them; arguments are copied.
   Threads: no function keeps global state. Calls on different handles may run in different threads, and so may calls that only
   read the same one: options are only read by coopc_validate().
   Errors: no function throws, exits or prints. Setters return 1, or 0 if they reject the call: a handle or text is NULL, or memory is
   exhausted. Functions on NULL findings return 0, NULL or "".
   Units: lengths are bytes without the NUL, `word_count` 32-bit words in this machine's byte order; texts are UTF-8 and NUL-terminated. */
#ifndef COOPC_VALIDATE_H
#define COOPC_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_validate_options coopc_validate_options;
typedef struct coopc_findings coopc_findings;

typedef enum coopc_finding_severity {
  COOPC_FINDING_NOTE = 0,
  COOPC_FINDING_WARNING = 1,
  COOPC_FINDING_ERROR = 2
} coopc_finding_severity;

typedef enum coopc_rule_level {
  COOPC_RULE_MODULE = 0,
  COOPC_RULE_DEVICE = 1,
  COOPC_RULE_ADVICE = 2,
  COOPC_RULE_PIPELINE = 3
} coopc_rule_level;

/* NULL if memory is exhausted. */
COOPC_API coopc_validate_options* coopc_validate_options_create(void);
COOPC_API void coopc_validate_options_destroy(coopc_validate_options* options);
/* The value of a specialization constant: its bits. A later value for the same SpecId replaces it. */
COOPC_API int coopc_validate_options_specialize(coopc_validate_options* options, uint32_t spec_id,
                                                uint64_t value);
/* The text of a device profile (JSON), which turns on rules of the device level; a length of 0 turns them off. */
COOPC_API int coopc_validate_options_set_profile(coopc_validate_options* options, const char* json,
                                                 size_t length);
/* Leaves out findings of the rule with this identifier; an unknown identifier has no effect. */
COOPC_API int coopc_validate_options_suppress(coopc_validate_options* options, const char* rule);
/* Whether rules of the level advice are checked (default: yes). */
COOPC_API int coopc_validate_options_set_advice(coopc_validate_options* options, int on);
/* Whether warnings become errors (default: no). */
COOPC_API int coopc_validate_options_set_warnings_as_errors(coopc_validate_options* options, int on);
/* The number of findings that are kept (default: 1000); further ones are only counted. */
COOPC_API int coopc_validate_options_set_max_findings(coopc_validate_options* options, uint32_t count);

/* The text of a shipped device profile ("h200", "lavapipe"), for coopc_validate_options_set_profile(), or NULL if none has that
   name. `length` may be NULL. The text lives as long as the program. */
COOPC_API const char* coopc_shipped_profile(const char* name, size_t* length);

/* `options` may be NULL and is not changed. Returns NULL only if memory is exhausted. */
COOPC_API coopc_findings* coopc_validate(const uint32_t* words, size_t word_count,
                                         const coopc_validate_options* options);
COOPC_API void coopc_findings_destroy(coopc_findings* findings);

/* A module of a pipeline, with what coopc_validate() found in the same words. */
typedef struct coopc_pipeline_module {
  const uint32_t* words;
  size_t word_count;
  const char* entry_point; /* NULL: each entry point of the module is a stage */
  coopc_findings* findings;
} coopc_pipeline_module;

/* Checks the modules of one pipeline, given in any order, against each other (validatePipeline() of validate.hpp), and adds findings to
   theirs. Nothing is checked unless all modules are readable. `options` may be NULL. Returns 1, or 0 with nothing changed if memory is
   exhausted or if words or findings are NULL. */
COOPC_API int coopc_validate_pipeline(const coopc_pipeline_module* modules, size_t count,
                                      const coopc_validate_options* options);

/* COOPC_STATUS_OK: a readable module without errors; COOPC_STATUS_INPUT_ERROR; COOPC_STATUS_BAD_ARGUMENT: unusable
   options, or words that are NULL; for NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_findings_status(const coopc_findings* findings);
/* 1 if the status is COOPC_STATUS_OK. */
COOPC_API int coopc_findings_ok(const coopc_findings* findings);
/* Why the options could not be used (nothing was checked then), or "". */
COOPC_API const char* coopc_findings_error(const coopc_findings* findings);
/* The number of findings, for coopc_findings_get(). */
COOPC_API size_t coopc_findings_count(const coopc_findings* findings);
/* The number of findings beyond the maximum, which are not kept. */
COOPC_API uint32_t coopc_findings_dropped(const coopc_findings* findings);

/* The number of SpecIds with given values that no constant of the module has; the first `capacity` of them are written to `ids`, which
   may be NULL if `capacity` is 0. */
COOPC_API size_t coopc_findings_unknown_spec_ids(const coopc_findings* findings, uint32_t* ids,
                                                 size_t capacity);

typedef struct coopc_finding {
  const char* rule; /* identifier */
  coopc_rule_level level;
  coopc_finding_severity severity;
  const char* message;
  const char* clause;
  const char* disassembly; /* "" if the finding is not about an instruction */
  uint32_t instruction;    /* index in the module; 0xFFFFFFFF: none */
  uint32_t word;           /* of the instruction's first word */
  const char* source_file; /* "" if the module has no line information */
  uint32_t source_line, source_column;
  const char* source_text; /* the line itself, "" if the module does not embed its source */
  size_t note_count;       /* coopc_findings_note() */
} coopc_finding;

/* Returns 1 and fills *finding, or 0 if the index is out of range. */
COOPC_API int coopc_findings_get(const coopc_findings* findings, size_t index, coopc_finding* finding);
/* A note of a finding ("`f` is called by `g`"), or NULL if an index is out of range. */
COOPC_API const char* coopc_findings_note(const coopc_findings* findings, size_t index, size_t note);

#ifdef __cplusplus
}
#endif

#endif
