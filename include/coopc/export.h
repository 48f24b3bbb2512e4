/* COOPC_API marks what the shared library exports; everything else in it is hidden. In the static library all of it is hidden, so
   that a plugin that links it does not offer it to others. */
#ifndef COOPC_EXPORT_H
#define COOPC_EXPORT_H

#if defined(COOPC_BUILDS_SHARED_LIBRARY) && defined(_WIN32)
#define COOPC_API __declspec(dllexport) /* users need no dllimport: only functions are exported */
#elif defined(COOPC_BUILDS_SHARED_LIBRARY) && defined(__GNUC__)
#define COOPC_API __attribute__((visibility("default")))
#else
#define COOPC_API
#endif

#endif
