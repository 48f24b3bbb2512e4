// The language server as a function, for systems without streams: it is compiled to WebAssembly for the page,
// and for VS Code if the extension has no native program.
#pragma once

extern "C" {

/// Handles `size` bytes of messages of the protocol, JSON texts with a NUL between two of them, as a server
/// with its own client: its state persists between calls. Returns the messages to the client, as a JSON
/// array, which stays until the next call. Several messages in one call are a burst: a request that another
/// one cancels is not answered, and changes are compiled once.
const char* coopls_handle(const char* messages, int size);
}
