/* Queries about a text, for C: what a name is, where it is declared and used, which names may be written at a place. query.hpp says more
   about each answer.

   Ownership: queries and lists belong to the caller, who destroys them; destroying NULL does nothing. A query owns copies of what it was
   made of. Texts live as long as the query or the list that returned them.
   Threads: no function keeps global state. Different queries may be asked in different threads, one query by one thread at a time.
   Errors: no function throws or exits. Functions that return a list return NULL if memory is exhausted. For a NULL query, a file that does
   not exist, or a place without a name, functions return 0, NULL, "" or an empty list.
   Units: places are byte offsets from the start of a file, from 0; files are indices below coopc_query_file_count(). Text is UTF-8 and
   NUL-terminated, unless a length is given. */
#ifndef COOPC_QUERY_H
#define COOPC_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/coopc.h"
#include "coopc/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_query coopc_query;
typedef struct coopc_names coopc_names;

/* The file of built-in names. */
#define COOPC_NO_FILE UINT32_C(0xffffffff)

/* Bytes begin to end (exclusive) of a file. */
typedef struct coopc_range {
  uint32_t file;
  uint32_t begin;
  uint32_t end;
} coopc_range;

typedef enum coopc_name_kind {
  COOPC_NAME_VARIABLE = 0,
  COOPC_NAME_PARAMETER = 1,
  COOPC_NAME_CONSTANT = 2,
  COOPC_NAME_FUNCTION = 3,
  COOPC_NAME_STRUCT = 4,
  COOPC_NAME_BLOCK = 5,
  COOPC_NAME_BUFFER_REFERENCE = 6,
  COOPC_NAME_MEMBER = 7,
  COOPC_NAME_MACRO = 8,
  COOPC_NAME_BUILTIN_FUNCTION = 9,
  COOPC_NAME_BUILTIN_VARIABLE = 10,
  COOPC_NAME_BUILTIN_CONSTANT = 11,
  COOPC_NAME_BUILTIN_TYPE = 12,
  COOPC_NAME_COMPONENT = 13,
  COOPC_NAME_KEYWORD = 14,
  COOPC_NAME_LAYOUT_QUALIFIER = 15,
  COOPC_NAME_EXTENSION = 16,
  COOPC_NAME_DIRECTIVE = 17
} coopc_name_kind;

/* Compiles. `options` may be NULL; their output should be COOPC_OUTPUT_CHECK or COOPC_OUTPUT_MODULE. NULL if memory is exhausted. */
COOPC_API coopc_query* coopc_query_create(const char* source, size_t source_length, const char* name,
                                          const coopc_options* options);
COOPC_API void coopc_query_destroy(coopc_query* query);
/* The result, as coopc_compile() returns it. It belongs to the query. */
COOPC_API const coopc_result* coopc_query_result(const coopc_query* query);

/* The files that were read, in order; a file that is included twice appears twice. */
COOPC_API size_t coopc_query_file_count(const coopc_query* query);
COOPC_API const char* coopc_query_file_name(const coopc_query* query, uint32_t file);
/* Not NUL-terminated. */
COOPC_API const char* coopc_query_file_text(const coopc_query* query, uint32_t file, size_t* length);
/* The file that was given to compile. */
COOPC_API uint32_t coopc_query_main_file(const coopc_query* query);
/* The names of the extensions that #extension enables anywhere in the text, in order. */
COOPC_API size_t coopc_query_extension_count(const coopc_query* query);
COOPC_API const char* coopc_query_extension(const coopc_query* query, size_t index);

/* The place of a diagnostic of the result, or with `note` from 1 of one of its notes, whatever #line says. */
COOPC_API coopc_range coopc_query_diagnostic_place(const coopc_query* query, size_t diagnostic, size_t note);

/* --- Names --------------------------------------------------------------------------------------------- */

/* An entry of a list. Texts that say nothing are "". Later versions may have members after these: callers say which they know
   (coopc_names_get). */
typedef struct coopc_name {
  coopc_name_kind kind;
  const char* name;
  const char* type;          /* of functions: the result's */
  const char* signature;     /* a declaration in one line; of completions: the type or the signature */
  const char* value;         /* of constants and macros */
  const char* documentation; /* the comment before or after the declaration */
  const char* container;     /* of members: the name of the structure or block */
  coopc_range declaration;   /* of the name */
  coopc_range whole;         /* outline and calls: of the whole declaration */
  uint32_t parent;           /* outline: the index of the structure or block; COOPC_NO_FILE: none */
  int has_layout;            /* whether the following say where a block's member is, in bytes */
  uint32_t offset;
  uint32_t alignment;
  uint32_t stride;
  uint32_t padding;             /* unused bytes before it */
  uint64_t size;                /* 0: an array without a size */
  coopc_range type_declaration; /* the name of the structure or block that the name is an object of */
} coopc_name;

/* The name at a place: a list of one, or none. */
COOPC_API coopc_names* coopc_query_symbol(const coopc_query* query, uint32_t file, uint32_t offset);
/* The declarations of a file at global scope, with members after their structures and blocks. */
COOPC_API coopc_names* coopc_query_outline(const coopc_query* query, uint32_t file);
/* Names that may be written at a place. `replaced`, if it is not NULL, receives the part of a word that is written already. */
COOPC_API coopc_names* coopc_query_completions(const coopc_query* query, uint32_t file, uint32_t offset,
                                               coopc_range* replaced);
/* Whether a place is inside the file name of an #include. There are no completions there. `path` receives the part of the name before the
   place, `angled` whether the name is in <...>; both may be NULL. */
COOPC_API int coopc_query_include_path(const coopc_query* query, uint32_t file, uint32_t offset,
                                       coopc_range* path, int* angled);
/* The functions that call the function at a place, and the functions that it calls. Their sites are the calls. */
COOPC_API coopc_names* coopc_query_callers(const coopc_query* query, uint32_t file, uint32_t offset);
COOPC_API coopc_names* coopc_query_callees(const coopc_query* query, uint32_t file, uint32_t offset);
/* The forms of the function whose arguments are written at a place, each as its signature; their sites are the parameters in it (the file
   is COOPC_NO_FILE). `active` and `parameter`, which may be NULL, receive the form that was chosen and the argument at the place. */
COOPC_API coopc_names* coopc_query_call(const coopc_query* query, uint32_t file, uint32_t offset,
                                        uint32_t* active, uint32_t* parameter);
/* Hints, texts to show inside the source, each as a name, at declaration.begin: the parameter of an argument (COOPC_NAME_PARAMETER), the
   layout of a block's member (COOPC_NAME_MEMBER), the size of an array or a matrix (COOPC_NAME_CONSTANT). */
COOPC_API coopc_names* coopc_query_hints(const coopc_query* query, uint32_t file, uint32_t begin,
                                         uint32_t end);
/* Fixes for a diagnostic of the result: each edit is an entry, whose `declaration` is the replaced range, `name` the new text and
   `container` the title of the fix that it belongs to. */
COOPC_API coopc_names* coopc_query_fixes(const coopc_query* query, size_t diagnostic);

/* Destroys a list; the number of its entries. */
COOPC_API void coopc_names_destroy(coopc_names* names);
COOPC_API size_t coopc_names_count(const coopc_names* names);
/* Writes `size` bytes, the caller's sizeof(coopc_name): the beginning of a longer structure of a later version of the library, or zeros
   after a shorter one of an earlier version. Returns 0, and leaves `name` unchanged, if the index is out of range. */
COOPC_API int coopc_names_get(const coopc_names* names, size_t index, coopc_name* name, size_t size);
/* The number of an entry's sites; the first `capacity` are written to `sites`, which may be NULL if `capacity` is 0. */
COOPC_API size_t coopc_names_sites(const coopc_names* names, size_t index, coopc_range* sites,
                                   size_t capacity);

/* --- Places -------------------------------------------------------------------------------------------- */

typedef struct coopc_occurrence {
  coopc_range at;
  int declaration;
  int write;    /* it is assigned to */
  int in_macro; /* in the definition of a macro */
} coopc_occurrence;
/* The number of places of the name at a place, in all files; the first `capacity` are written to `occurrences`. */
COOPC_API size_t coopc_query_occurrences(const coopc_query* query, uint32_t file, uint32_t offset,
                                         coopc_occurrence* occurrences, size_t capacity);
/* The length of the reason why the name at a place cannot be renamed; 0: it can. The reason is written to `why`, NUL-terminated and
   truncated to `capacity` bytes. */
COOPC_API size_t coopc_query_rename_fault(const coopc_query* query, uint32_t file, uint32_t offset,
                                          const char* new_name, char* why, size_t capacity);

typedef enum coopc_token_kind {
  COOPC_TOKEN_KEYWORD = 0,
  COOPC_TOKEN_TYPE = 1,
  COOPC_TOKEN_FUNCTION = 2,
  COOPC_TOKEN_VARIABLE = 3,
  COOPC_TOKEN_PARAMETER = 4,
  COOPC_TOKEN_MEMBER = 5,
  COOPC_TOKEN_MACRO = 6,
  COOPC_TOKEN_NUMBER = 7,
  COOPC_TOKEN_STRING = 8,
  COOPC_TOKEN_COMMENT = 9
} coopc_token_kind;
typedef struct coopc_token {
  coopc_range at;
  coopc_token_kind kind;
  int declaration;
  int readonly;
  int builtin;
} coopc_token;
/* The tokens of a file for highlighting, as coopc_query_occurrences() returns places. */
COOPC_API size_t coopc_query_highlight(const coopc_query* query, uint32_t file, coopc_token* tokens,
                                       size_t capacity);

typedef enum coopc_range_kind {
  COOPC_RANGE_INACTIVE = 0, /* lines that #if leaves out */
  COOPC_RANGE_FOLD = 1,     /* blocks, comments of several lines, inactive groups */
  COOPC_RANGE_ENCLOSING =
      2, /* what encloses a place, from the inside; `offset` is the place, which others ignore */
  COOPC_RANGE_INCLUDE = 3 /* names in #include */
} coopc_range_kind;
/* The number of ranges of a kind in a file; the first `capacity` are written to `ranges`, which may be NULL if `capacity` is 0. */
COOPC_API size_t coopc_query_ranges(const coopc_query* query, coopc_range_kind kind, uint32_t file,
                                    uint32_t offset, coopc_range* ranges, size_t capacity);
/* The file that the #include at a place reads; COOPC_NO_FILE if there is none. */
COOPC_API uint32_t coopc_query_included_file(const coopc_query* query, uint32_t file, uint32_t offset);

#ifdef __cplusplus
}
#endif

#endif
