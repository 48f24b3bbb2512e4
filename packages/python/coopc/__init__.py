"""GLSL with cooperative matrices and tensor addressing to SPIR-V: compile, validate, reflect, disassemble.

    import coopc
    result = coopc.compile(text, "shader.comp", target_env=coopc.TargetEnv.VULKAN_1_3)
    if not result.ok:
        print(result.messages)

This wraps the C interface (coopc.h) with ctypes. The shared library is in this package, unless COOPC_LIBRARY
names another one. Calls release the interpreter's lock and may run in any thread. Wrong programs and modules
give results, not exceptions. Meaningless arguments raise ValueError, and exhausted memory raises MemoryError.
"""

from __future__ import annotations

import ctypes as _c
import enum
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

_here = Path(__file__).resolve().parent
_lib = _c.CDLL(os.environ.get("COOPC_LIBRARY") or str(_here / "libcoopc.so"))


class Status(enum.IntEnum):
    """How a call ended."""

    OK = 0
    INPUT_ERROR = 1
    BAD_ARGUMENT = 2
    OUT_OF_MEMORY = 3
    HELPER_MISSING = 4
    INTERNAL = 5
    CANCELLED = 6
    CALLBACK_FAILED = 7


class Stage(enum.IntEnum):
    FROM_SOURCE = 0
    COMPUTE = 1
    VERTEX = 2
    FRAGMENT = 3
    GEOMETRY = 4
    TESS_CONTROL = 5
    TESS_EVALUATION = 6
    TASK = 7
    MESH = 8
    RAY_GENERATION = 9
    INTERSECTION = 10
    ANY_HIT = 11
    CLOSEST_HIT = 12
    MISS = 13
    CALLABLE = 14


class TargetEnv(enum.IntEnum):
    VULKAN_1_0 = 0
    VULKAN_1_1 = 1
    VULKAN_1_2 = 2
    VULKAN_1_3 = 3
    VULKAN_1_4 = 4
    OPENGL_4_5 = 5


class Optimization(enum.IntEnum):
    NONE = 0
    SPEED = 1
    SIZE = 2


class _Finding(_c.Structure):
    _fields_ = [
        ("rule", _c.c_char_p), ("level", _c.c_int), ("severity", _c.c_int), ("message", _c.c_char_p), ("clause", _c.c_char_p),
        ("disassembly", _c.c_char_p), ("instruction", _c.c_uint32), ("word", _c.c_uint32), ("source_file", _c.c_char_p),
        ("source_line", _c.c_uint32), ("source_column", _c.c_uint32), ("source_text", _c.c_char_p), ("note_count", _c.c_size_t),
    ]


def _declare(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_lib, "coopc_" + name)
    function.restype = result
    function.argtypes = arguments
    return function


_p, _s, _size, _u32 = _c.c_void_p, _c.c_char_p, _c.c_size_t, _c.c_uint32
_sizep, _words = _c.POINTER(_size), _c.POINTER(_u32)
_version = _declare("version", _s)
_options_create = _declare("options_create", _p)
_options_destroy = _declare("options_destroy", None, _p)
_set_stage = _declare("options_set_stage", _c.c_int, _p, _c.c_int)
_set_env = _declare("options_set_target_env", _c.c_int, _p, _c.c_int)
_set_optimization = _declare("options_set_optimization", _c.c_int, _p, _c.c_int)
_set_flags = _declare("options_set_flags", _c.c_int, _p, _u32)
_define = _declare("options_define", _c.c_int, _p, _s, _s)
_set_helper = _declare("options_set_glslang_program", _c.c_int, _p, _s)
_cache_create = _declare("file_cache_create", _p)
_cache_destroy = _declare("file_cache_destroy", None, _p)
_set_cache = _declare("options_set_file_cache", _c.c_int, _p, _p, _c.POINTER(_s), _size, _s)
_compile = _declare("compile", _p, _s, _size, _s, _p)
_disassemble = _declare("disassemble", _p, _c.c_char_p, _size)
_result_destroy = _declare("result_destroy", None, _p)
_result_status = _declare("result_status", _c.c_int, _p)
_result_words = _declare("result_words", _p, _p, _sizep)
_result_text = _declare("result_text", _p, _p, _sizep)
_result_messages = _declare("result_messages", _p, _p, _sizep)
_result_json = _declare("result_json", _p, _p, _sizep)
_dependency_count = _declare("result_dependency_count", _size, _p)
_dependency = _declare("result_dependency", _s, _p, _size)
_missing_count = _declare("result_missing_count", _size, _p)
_missing = _declare("result_missing", _s, _p, _size)
_validate_options = _declare("validate_options_create", _p)
_validate_options_destroy = _declare("validate_options_destroy", None, _p)
_validate_profile = _declare("validate_options_set_profile", _c.c_int, _p, _s, _size)
_shipped_profile = _declare("shipped_profile", _p, _s, _sizep)
_validate = _declare("validate", _p, _c.c_char_p, _size, _p)
_findings_destroy = _declare("findings_destroy", None, _p)
_findings_status = _declare("findings_status", _c.c_int, _p)
_findings_error = _declare("findings_error", _s, _p)
_findings_count = _declare("findings_count", _size, _p)
_findings_get = _declare("findings_get", _c.c_int, _p, _size, _c.POINTER(_Finding))
_reflect = _declare("reflect", _p, _c.c_char_p, _size, _p, _size, _s, _size)
_reflection_status = _declare("reflection_status", _c.c_int, _p)
_reflection_destroy = _declare("reflection_destroy", None, _p)
_reflection_error = _declare("reflection_error", _s, _p)
_reflection_json = _declare("reflection_json", _p, _p, _sizep)


def _bytes(function: Any, handle: Any, unit: int = 1) -> bytes:
    size = _size()
    at = function(handle, _c.byref(size))
    return _c.string_at(at, size.value * unit) if at else b""


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


def _module(spirv: bytes) -> tuple[bytes, int]:
    if len(spirv) % 4:
        raise ValueError("a module is whole words of 4 bytes")
    return spirv, len(spirv) // 4


@dataclass(frozen=True)
class Result:
    """The result of a compile."""

    status: Status
    spirv: bytes  #: the module in this machine's byte order; empty if there is none
    messages: str  #: diagnostics with carets
    diagnostics: list[dict[str, Any]]  #: the same as data
    dependencies: list[str]  #: names of all files read, the main one first
    missing: list[str]  #: files that #include did not find

    @property
    def ok(self) -> bool:
        return self.status is Status.OK


@dataclass(frozen=True)
class Finding:
    """A finding of the validator at a place in a module."""

    rule: str
    severity: str  #: "note", "warning" or "error"
    message: str
    clause: str
    disassembly: str
    source_file: str
    source_line: int  #: from 1; 0 if the module has no line there


@dataclass(frozen=True)
class Validation:
    status: Status
    findings: list[Finding]

    @property
    def ok(self) -> bool:
        return self.status is Status.OK


def version() -> str:
    return _text(_version())


def compile(
    source: str | bytes,
    name: str = "shader.comp",
    *,
    stage: Stage = Stage.COMPUTE,
    target_env: TargetEnv = TargetEnv.VULKAN_1_0,
    optimization: Optimization = Optimization.NONE,
    debug_info: bool = False,
    defines: Mapping[str, str | int] | None = None,
    include_directories: Sequence[str | os.PathLike[str]] = (),
) -> Result:
    """Compiles a text. #include finds files beside `name` and in the folders."""
    text = source.encode() if isinstance(source, str) else bytes(source)
    options = _options_create()
    cache = _cache_create()
    result = None
    try:
        if not options or not cache:
            raise MemoryError
        folders = [os.fsencode(folder) for folder in include_directories]
        good = _set_cache(options, cache, (_s * len(folders))(*folders), len(folders), None)
        good &= _set_stage(options, int(stage)) & _set_env(options, int(target_env))
        good &= _set_optimization(options, int(optimization)) & _set_flags(options, 1 if debug_info else 0)
        for macro, value in (defines or {}).items():
            good &= _define(options, macro.encode(), str(value).encode())
        helper = _here / "coopc-glslang"
        if helper.exists():
            good &= _set_helper(options, os.fsencode(helper))
        if not good:
            raise ValueError("an option is out of its range")
        result = _compile(text, len(text), name.encode(), options)
        if not result:
            raise MemoryError
        return Result(
            Status(_result_status(result)),
            _bytes(_result_words, result, 4),
            _bytes(_result_messages, result).decode("utf-8", "replace"),
            json.loads(_bytes(_result_json, result) or b"[]"),
            [_text(_dependency(result, i)) for i in range(_dependency_count(result))],
            [_text(_missing(result, i)) for i in range(_missing_count(result))],
        )
    finally:
        _result_destroy(result)
        _options_destroy(options)
        _cache_destroy(cache)


def validate(spirv: bytes, *, profile: str | None = None) -> Validation:
    """Checks a module against the rules of the matrix extensions, and against a device if a profile is given
    (its JSON, or the name of a shipped one)."""
    words, count = _module(spirv)
    options = _validate_options()
    findings = None
    try:
        if profile is not None:
            shipped = _size()
            at = _shipped_profile(profile.encode(), _c.byref(shipped))
            text = _c.string_at(at, shipped.value) if at else profile.encode()
            _validate_profile(options, text, len(text))
        findings = _validate(words, count, options)
        status = Status(_findings_status(findings))
        if status is Status.OUT_OF_MEMORY:
            raise MemoryError
        if status is Status.BAD_ARGUMENT:
            raise ValueError(_text(_findings_error(findings)))
        out = []
        for index in range(_findings_count(findings)):
            f = _Finding()
            _findings_get(findings, index, _c.byref(f))
            severity = ("note", "warning", "error")[f.severity]
            out.append(Finding(_text(f.rule), severity, _text(f.message), _text(f.clause), _text(f.disassembly),
                               _text(f.source_file), f.source_line))
        return Validation(status, out)
    finally:
        _findings_destroy(findings)
        _validate_options_destroy(options)


def reflect(spirv: bytes) -> dict[str, Any]:
    """Everything that a program needs to know to use a module, as docs/reflection.schema.json describes."""
    words, count = _module(spirv)
    reflection = _reflect(words, count, None, 0, None, 0)
    try:
        status = Status(_reflection_status(reflection))
        if status is Status.OUT_OF_MEMORY:
            raise MemoryError
        if status is not Status.OK:
            raise ValueError(_text(_reflection_error(reflection)))
        return json.loads(_bytes(_reflection_json, reflection))
    finally:
        _reflection_destroy(reflection)


def disassemble(spirv: bytes) -> str:
    """A module as text that the assembler of SPIRV-Tools can read."""
    words, count = _module(spirv)
    result = _disassemble(words, count)
    if not result:
        raise MemoryError
    try:
        if _result_status(result) != Status.OK:
            raise ValueError(_bytes(_result_messages, result).decode("utf-8", "replace").strip())
        return _bytes(_result_text, result).decode("utf-8", "replace")
    finally:
        _result_destroy(result)
