// The language server as a function, for systems without streams. It is compiled to WebAssembly for the page,
// and for VS Code if the extension has no native program for the system.
#pragma once

extern "C" {

/// Handles `size` bytes of protocol messages: JSON texts, separated by NULs. The server's state persists
/// between calls. Returns the messages to the client as a JSON array, which stays valid until the next call.
/// Several messages in one call are a burst: a request that another one cancels is not executed, and changes
/// are compiled once.
const char* coopls_handle(const char* messages, int size);
}
