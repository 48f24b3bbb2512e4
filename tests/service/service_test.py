#!/usr/bin/env python3
"""service_test.py SERVER SCRATCH: tests one server's limits, queue, pages and shutdown."""
import concurrent.futures
import ctypes
import gzip
import http.client
import os
import pathlib
import platform
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from running import SHADER, Checks, ask, empty_folder, free_port, metrics, serving, status_of, wait_until

server, scratch = sys.argv[1], sys.argv[2]
# Takes some tenths of a second to optimize, and more than 64 MiB.
SLOW = "#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid f0() { a[0] += 1.0; }\n" + "".join(
    f"void f{n}() {{ f{n - 1}(); f{n - 1}(); }}\n" for n in range(1, 24)) + "void main() { f23(); }\n"
LARGE = "#version 450\nint x = " + "1+" * 1000000 + "1;\nvoid main() {}\n"
check = Checks()
empty_folder(scratch)



def children(process):
    """The processes that a process has started. In /proc/N/stat, the parent stands after the name and the
    state."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(stat.parent.name))
        except OSError:
            pass
    return found


def open_files(process):
    try:
        return {int(name): os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")}
    except OSError:
        return {}


def exchange(port, head, parts=()):
    """Code and body of the answer to raw bytes, and whether the server then closed the connection, so that a
    request that follows gets no answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"".join([head, *parts]))
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
        try:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            closed = connection.recv(1) == b""
        except (BrokenPipeError, ConnectionResetError):  # the server did not read all of the body
            closed = True
    return answer.status, body, closed


def post(headers, path="/v1/compile", method="POST"):
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode()


def chunks(size, count):
    return [b"%x\r\n" % size + b" " * size + b"\r\n"] * count + [b"0\r\n\r\n"]


with serving(server, "--workers=1", "--queue=2", "--time-limit=2000", "--memory-limit=64", "--body-limit=3000", f"--cache={scratch}/cache",
             "--drain=2000") as (process, port):
    code, headers, body = ask(port, "/v1/compile?name=a.comp", SHADER % 1, {"Accept": "application/octet-stream"})
    check(code == 200 and body[:4] == b"\x03\x02\x23\x07" and headers["X-Coopc-Cache"] == "none", f"a module: {code} {body}")
    code, headers, again = ask(port, "/v1/compile?name=a.comp", SHADER % 1, {"Accept": "application/octet-stream"})
    check(code == 200 and again == body and headers["X-Coopc-Cache"] == "disk", "the same from the folder")
    code, headers, body = ask(port, "/v1/compile?name=a.comp&option=-S", SHADER % 1)
    check(code == 200 and b"OpEntryPoint" in body, "assembly")

    code, _, body = ask(port, "/v1/compile", "#version 450\nvoid main() { x = 1; }\n")
    check(code == 422 and b'"undeclared-name"' in body and status_of(body) == "wrong", f"a wrong text: {code} {body}")
    code, _, body = ask(port, "/v1/compile", LARGE)
    check(code == 422 and status_of(body) == "memory-limit", f"a large text: {code} {body}")
    code, _, body = ask(port, "/v1/compile?option=-O", SLOW)
    check(code == 422 and status_of(body) in ("time-limit", "memory-limit"), f"a long compile: {code} {body}")
    check(ask(port, "/v1/compile?option=--cache%3D/tmp", SHADER % 1)[0] == 400, "an option that names a file")
    check(ask(port, "/v1/compile", b"\xff", {"Content-Type": "application/json"})[0] == 400, "not JSON")
    check(ask(port, "/nowhere")[0] == 404, "another page")

    # Bodies of any type are texts (curl sends this type), and options come from the address only.
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    code, _, body = ask(port, "/v1/compile?name=a.comp", SHADER % 3 + "// long\n" * 2000, form)
    check(code == 200, f"a form's type, more than 8 KiB: {code} {body}")
    code, _, body = ask(port, "/v1/compile?name=a.comp", SHADER % 4 + "//&option=-S&name=b.frag&option=-nonsense\n", form)
    check(code == 200 and b'"assembly"' not in body, f"a text that looks like options: {code} {body}")

    # The limit for bodies applies to all of their forms, and a refused body costs no memory.
    before = metrics(port)["coopc_resident_bytes"]
    code, _, body = ask(port, "/v1/compile", "x" * 3100000)
    check(code == 413 and b'"bad-request"' in body, f"a large body: {code} {body}")
    code, body, closed = exchange(port, post("Transfer-Encoding: chunked\r\n"), chunks(1 << 20, 30))
    check(code == 413 and b'"bad-request"' in body and closed, f"30 MB in chunks: {code} {body}")
    packed = gzip.compress(b" " * (30 << 20))
    code, body, closed = exchange(port, post(f"Content-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n"), [packed])
    check(code == 413 and closed, f"30 MB in a few KiB: {code} {body}")
    code, body, closed = exchange(port, post("Transfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n"), chunks(1000, 1))
    check(code == 400 and closed, f"parts: {code} {body}")
    code, body, closed = exchange(port, post("Transfer-Encoding: chunked\r\n", "/nowhere"), chunks(1000, 1))
    check(code == 404 and closed, f"a body for another page: {code}")
    code, body, closed = exchange(port, post("Content-Length: 20\r\n", "/healthz", "GET"), [b"GET /metrics HTTP/1.1"[:20]])
    check(code == 400 and closed, f"a body of GET: {code}")
    code, body, closed = exchange(port, post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), chunks(10, 1))
    check(code == 400 and closed, f"two lengths: {code}")
    code, body, closed = exchange(port, post("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"),
                                  [b"%x\r\n" % len(SHADER), *[SHADER.encode()], b"\r\n0\r\n\r\n"])
    check(code == 400 and closed, f"not what it says: {code}")
    code, body, closed = exchange(port, post("Content-Length: 0x5\r\n"), [b"12345"])
    check(code == 400 and closed, f"a length that is not a number: {code}")
    # The request that follows a complete body is answered.
    text = (SHADER % 6).encode()
    code, body, closed = exchange(port, post("Transfer-Encoding: chunked\r\n"), [b"%x\r\n" % len(text), text, b"\r\n0\r\n\r\n"])
    check(code == 200 and not closed, f"a text in chunks: {code} {body}")
    text = gzip.compress((SHADER % 5).encode())
    code, body, closed = exchange(port, post(f"Content-Encoding: gzip\r\nContent-Length: {len(text)}\r\nConnection: close\r\n"), [text])
    check(code == 200, f"a compressed text: {code} {body}")
    check(ask(port, "/healthz")[0] == 200, "healthy after all of these")
    check(metrics(port)["coopc_resident_bytes"] < before + (24 << 20), "refused bodies cost no memory")

    # One worker, and two requests that wait: of twelve at once, some are told to come again.
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda n: ask(port, f"/v1/compile?option=-O&option=-DN%3D{n}", SLOW), range(12)))
    busy = [headers for code, headers, _ in answers if code == 503]
    check(len(busy) >= 1, f"{len(busy)} were busy")
    check(all(headers["Retry-After"] == "1" for headers in busy), "Retry-After")
    check(all(code in (422, 503) for code, _, _ in answers), "nothing else")

    values = metrics(port)
    check(values['coopc_requests_total{outcome="ok"}'] == 7, "metrics: right ones")
    check(values['coopc_requests_total{outcome="wrong"}'] == 1, "metrics: wrong ones")
    check(values['coopc_requests_total{outcome="busy"}'] == len(busy), "metrics: busy ones")
    check(values['coopc_requests_total{outcome="bad-request"}'] == 9, "metrics: bad ones")
    check(values['coopc_cache_lookups_total{from="disk"}'] == 1, "metrics: cache")
    check(values["coopc_request_seconds_count"] == sum(v for k, v in values.items() if k.startswith("coopc_requests_total")), "metrics: sums")

    # Shutdown: unhealthy while the server drains, running requests are answered, and nothing is left.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        last = pool.submit(ask, port, "/v1/compile?option=-O&option=-DLAST", SLOW)
        wait_until(lambda: metrics(port)["coopc_workers_busy"] == 1 or last.done(), "no compile runs")
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: ask(port, "/healthz")[0] == 503, "it does not drain")
        check(last.result()[0] == 422, "the last request is answered")
    check(process.wait(20) == 0, "exit code")
    check(ask(port, "/healthz")[0] == 0, "it has ended")

# Killed in any state, the next server has the results that were kept.
with serving(server, f"--cache={scratch}/cache") as (process, port):
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 1)[1]["X-Coopc-Cache"] == "disk", "kept by the server before")
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 2)[1]["X-Coopc-Cache"] == "none", "another text")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
with serving(server, f"--cache={scratch}/cache") as (_, port):
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 2)[1]["X-Coopc-Cache"] == "disk", "kept by a server that was killed")

# A compile that ends within the usual limit does not end within the smallest one, however much memory there
# is.
with serving(server, "--workers=1") as (_, port):
    check(ask(port, "/v1/compile?option=-O", SLOW)[0] == 200, "within the usual limits")
with serving(server, "--workers=1", "--time-limit=10") as (_, port):
    code, _, body = ask(port, "/v1/compile?option=-O", SLOW)
    check(code == 422 and status_of(body) == "time-limit", f"the time limit alone: {code} {body}")

# A program that is replaced while it runs starts workers of its own version. A compile has the pipe for its
# answer and no other open file.
shutil.copy(server, f"{scratch}/coopc-server")
with serving(f"{scratch}/coopc-server", "--workers=1") as (process, port):
    pathlib.Path(f"{scratch}/new").write_text("not a program\n", encoding="utf-8")
    os.replace(f"{scratch}/new", f"{scratch}/coopc-server")
    check(ask(port, "/v1/compile", SHADER % 1)[0] == 200, "a worker of a replaced program")
    (worker,) = children(process.pid)
    seen = []
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        last = pool.submit(ask, port, "/v1/compile?option=-O", SLOW)
        while not last.done():
            seen += [open_files(compiling) for compiling in children(worker)]
            time.sleep(0.002)
    check(any(len(files) == 1 and next(iter(files.values())).startswith("pipe:") for files in seen), f"open files of a compile: {seen}")

# A signal right after the first line on the standard output, before the server listens, also ends the server.
ended = []
for _ in range(5):
    with subprocess.Popen((server, "--port=0"), stdout=subprocess.PIPE) as early:
        early.stdout.readline()
        early.send_signal(signal.SIGTERM)
        try:
            ended.append(early.wait(20))
        except subprocess.TimeoutExpired:
            early.kill()
            ended.append(None)
check(ended == [0] * 5, f"ended early: {ended}")


# If seccomp is refused, as this filter refuses prctl(PR_SET_SECCOMP), the server does not start.
def without_seccomp():
    number = {"x86_64": 157, "aarch64": 167}[platform.machine()]
    code = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 0, 1, 22), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000)]
    instructions = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in code))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(instructions)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:
        os._exit(99)


refused = subprocess.run((server, f"--port={free_port()}"), preexec_fn=without_seccomp, capture_output=True, text=True, timeout=20, check=False)
check(refused.returncode == 1 and "sandbox" in refused.stderr and not refused.stdout, f"without seccomp: {refused}")
check.end(45)
