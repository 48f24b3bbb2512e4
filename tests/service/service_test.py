#!/usr/bin/env python3
"""service_test.py SERVER SCRATCH PORT: one server's limits, queue, pages and end."""
import concurrent.futures
import os
import signal
import sys
import time

from running import SHADER, Checks, ask, empty_folder, metrics, running, status_of, wait_healthy, wait_until

server, scratch, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
# A second and more of optimizing.
SLOW = "#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid f0() { a[0] += 1.0; }\n" + "".join(
    f"void f{n}() {{ f{n - 1}(); f{n - 1}(); }}\n" for n in range(1, 24)) + "void main() { f23(); }\n"
LARGE = "#version 450\nint x = " + "1+" * 1000000 + "1;\nvoid main() {}\n"
check = Checks()
empty_folder(scratch)

with running(server, f"--port={port}", "--workers=1", "--queue=2", "--time-limit=400", "--memory-limit=64", "--body-limit=3000",
             f"--cache={scratch}/cache", "--drain=500") as process:
    wait_healthy(port)
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
    start = time.monotonic()
    code, _, body = ask(port, "/v1/compile?option=-O", SLOW)
    check(code == 422 and status_of(body) in ("time-limit", "memory-limit"), f"a long compile: {code} {body}")
    check(time.monotonic() - start < 5, "a long compile ends")
    check(ask(port, "/v1/compile", "x" * 3100000)[0] in (413, 0), "a large body")
    check(ask(port, "/v1/compile?option=--cache%3D/tmp", SHADER % 1)[0] == 400, "an option that names a file")
    check(ask(port, "/v1/compile", b"\xff", {"Content-Type": "application/json"})[0] == 400, "not JSON")
    check(ask(port, "/nowhere")[0] == 404, "another page")

    # One worker and two that wait: of twelve at once, some are told to come again.
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda n: ask(port, f"/v1/compile?option=-O&option=-DN%3D{n}", SLOW), range(12)))
    busy = [headers for code, headers, _ in answers if code == 503]
    check(len(busy) >= 6, f"{len(busy)} were busy")
    check(all(headers["Retry-After"] == "1" for headers in busy), "Retry-After")
    check(all(code in (422, 503) for code, _, _ in answers), "nothing else")

    values = metrics(port)
    check(values['coopc_requests_total{outcome="ok"}'] == 3, "metrics: right ones")
    check(values['coopc_requests_total{outcome="wrong"}'] == 1, "metrics: wrong ones")
    check(values['coopc_requests_total{outcome="busy"}'] == len(busy), "metrics: busy ones")
    check(values['coopc_requests_total{outcome="bad-request"}'] == 2, "metrics: bad ones")
    check(values['coopc_cache_lookups_total{from="disk"}'] == 1, "metrics: cache")
    check(values["coopc_request_seconds_count"] == sum(v for k, v in values.items() if k.startswith("coopc_requests_total")), "metrics: sums")

    # The end: unhealthy while it drains, what runs is answered, and nothing is left.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        last = pool.submit(ask, port, "/v1/compile?option=-O&option=-DLAST", SLOW)
        wait_until(lambda: metrics(port)["coopc_workers_busy"] == 1 or last.done(), "no compile runs")
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: ask(port, "/healthz")[0] == 503, "it does not drain")
        check(last.result()[0] == 422, "the last request is answered")
    check(process.wait(20) == 0, "exit code")
    check(ask(port, "/healthz")[0] == 0, "it has ended")

# Killed in any state, the next one has what was kept.
with running(server, f"--port={port}", f"--cache={scratch}/cache") as process:
    wait_healthy(port)
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 1)[1]["X-Coopc-Cache"] == "disk", "kept by the server before")
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 2)[1]["X-Coopc-Cache"] == "none", "another text")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
with running(server, f"--port={port}", f"--cache={scratch}/cache"):
    wait_healthy(port)
    check(ask(port, "/v1/compile?name=a.comp", SHADER % 2)[1]["X-Coopc-Cache"] == "disk", "kept by a server that was killed")
check.end(26)
