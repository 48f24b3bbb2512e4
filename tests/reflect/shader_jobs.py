"""Compiles for tests over many shaders: the shaders below a folder, as their RUN lines say."""
import os
import re


def words_of(text, file):
    """The arguments of the RUN lines of a shader, as tests/support/shader_test.hpp describes them."""
    runs = re.findall(r"^// RUN: coopc (.*)$", text, re.M) or ["--target-env=vulkan1.3 %s"]
    return [[w.replace("%s", file) for w in run.split()] for run in runs]


ALL_STAGES = tuple("." + stage for stage in ("comp vert frag geom tesc tese task mesh rgen rint rahit rchit rmiss rcall").split())


def writes_module(arguments):
    return not any(a.startswith(("-o", "--list-", "--batch", "--reflect")) or a in ("-E", "-S", "-M", "-MM", "--version", "--help")
                   for a in arguments)


def jobs_of_folder(folder, endings=(".comp",)):
    """(folder, arguments) of each compile of a file with one of these endings that makes a module. The
    arguments name no output."""
    jobs = []
    for root, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith(endings):
                continue
            path = os.path.relpath(os.path.join(root, name), folder)
            with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
                text = f.read()
            jobs += [(folder, a) for a in words_of(text, path) if writes_module(a)]
    return jobs
