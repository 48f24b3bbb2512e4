"""Shared by the service's tests: programs that run until the test ends, requests, and counted checks."""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

SHADER = "#version 450\nlayout(local_size_x = %d) in;\nvoid main() {}\n"


class Checks:
    def __init__(self):
        self.count = self.failed = 0

    def __call__(self, condition, text):
        self.count += 1
        if not condition:
            self.failed += 1
            print("FAILED:", text)

    def end(self, expected):
        print(f"{self.count} checks, {self.failed} failed")
        sys.exit(1 if self.failed or self.count != expected else 0)


def empty_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)


@contextlib.contextmanager
def running(*command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def serving(*command, port=0, **more):
    """Starts a server at a free port, or at the port of one that has ended. Returns its process and the port
    that it prints."""
    process = subprocess.Popen((*command, f"--port={port}"), stdout=subprocess.PIPE, text=True, **more)
    try:
        line = process.stdout.readline()
        found = re.fullmatch(r"coopc-server: listening on http://127\.0\.0\.1:(\d+)\n", line)
        if not found:
            sys.exit(f"the server does not start: {line!r}")
        wait_healthy(int(found[1]))
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, path, body=None, headers=None):
    """Status, headers and body of an answer. The status is 0 if there is none."""
    data = body.encode() if isinstance(body, str) else body
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=data, headers={"Content-Type": "text/plain", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
    except OSError:
        return 0, {}, b""


def wait_until(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"timed out: {what}")
        time.sleep(0.02)


def wait_healthy(port):
    wait_until(lambda: ask(port, "/healthz")[0] == 200, f"no server at port {port}")


def metrics(port):
    values = {}
    for line in ask(port, "/metrics")[2].decode().splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            values[name] = float(value)
    return values


def status_of(body):
    return json.loads(body)["status"]
