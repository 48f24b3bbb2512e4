#!/usr/bin/env python3
"""exported_cxx_functions NM LIBRARY HEADERS: fails unless the shared LIBRARY exports all functions, with all
overloads, and all classes' functions that the C++ headers in the folder HEADERS declare with COOPC_API. In
the tree, where the library is static, a function that the linker's version script does not name still links;
it would fail only in a user's program."""
import collections
import pathlib
import re
import subprocess
import sys

APART = {"core.hpp", "translate.hpp"}  # in separate archives, not in the shared library


def plain(text):
    """Code without comments, and without default arguments that are braces."""
    return re.sub(r"=\s*\{\}", "", re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S))


def of_class(name, body):
    """The functions that a class declares and does not define in its body."""
    body = body.split("private:")[0]
    while "{" in body:
        body = re.sub(r"\{[^{}]*\}", "@", body)
    for statement, end in re.findall(r"([^;@]*)([;@])", body):
        if end == ";" and not re.search(r"=\s*(delete|default)", statement):
            function = re.search(r"(~?\w+)\s*\(", statement)
            if function:
                yield f"coopc::{name}::{function[1]}"


def declared(headers):
    """How many functions of each name the headers declare."""
    functions = collections.Counter()
    for header in sorted(headers.glob("*.hpp")):
        if header.name in APART:
            continue
        text = plain(header.read_text())
        for name, body in re.findall(r"class COOPC_API (\w+) \{(.*?)\n\};", text, flags=re.S):
            functions.update(of_class(name, body))
        functions.update("coopc::" + name for name in re.findall(r"^COOPC_API [^;(]*?\b(\w+)\(", text, flags=re.M))
    return functions


def exported(nm, library):
    """How many functions of each name the library exports. Each constructor has two symbols with the same
    text."""
    lines = subprocess.run([nm, "-DC", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = {line.split(" ", 2)[2].split("@@")[0].replace("[abi:cxx11]", "") for line in lines if " T " in line}
    return collections.Counter(symbol.split("(")[0] for symbol in symbols)


nm, library, headers = sys.argv[1:]
wanted, there = declared(pathlib.Path(headers)), exported(nm, library)
if sum(wanted.values()) < 45:
    sys.exit(f"only {sum(wanted.values())} declarations were found in {headers}")
missing = [f"{name}: {count} declared, {there[name]} exported" for name, count in sorted(wanted.items()) if there[name] < count]
if missing:
    sys.exit("the shared library lacks functions of its headers; see cmake/coopc.map:\n" + "\n".join(missing))
print(f"{sum(wanted.values())} C++ functions")
