#!/usr/bin/env python3
"""shared_test.py SERVER SCRATCH PROGRAMS SOAK: tests two servers behind haproxy, with results in Redis, set
up as in docs/service.md."""
import contextlib
import pathlib
import re
import subprocess
import sys
import threading
import time

from running import SHADER, Checks, ask, empty_folder, free_port, metrics, running, serving, wait_healthy, wait_until

server, scratch, programs, soak = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
front, redis = free_port(), free_port()
check = Checks()
empty_folder(scratch)

# The configuration in the document, with this test's ports.
page = (pathlib.Path(__file__).resolve().parents[2] / "docs/service.md").read_text(encoding="utf-8")
configuration = re.search(r"\n    global\n(?:    .*\n|\n)*", page).group(0)


def haproxy(first, second):
    text = configuration
    for old, new in (("127.0.0.1:8081", f"127.0.0.1:{first}"), ("127.0.0.1:8082", f"127.0.0.1:{second}"), (":8080", f"127.0.0.1:{front}")):
        assert old in text
        text = text.replace(old, new)
    (scratch / "haproxy.cfg").write_text("\n".join(line[4:] for line in text.splitlines()) + "\n", encoding="utf-8")
    return running(f"{programs}/haproxy", "-f", str(scratch / "haproxy.cfg"), "-db", "-q")


def start(port=0):
    return serving(server, "--workers=2", "--time-limit=2000", "--memory-limit=128", f"--redis=127.0.0.1:{redis}", port=port)


with running(f"{programs}/redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxmemory", "64mb",
             "--maxmemory-policy", "allkeys-lru", "--dir", str(scratch)) as data:
    wait_until(lambda: b"PONG" in subprocess.run([f"{programs}/redis-cli", "-p", str(redis), "ping"], capture_output=True, check=False).stdout, "Redis")
    with contextlib.ExitStack() as stack:
        _, first = stack.enter_context(start())
        with start() as (two, second):
            stack.enter_context(haproxy(first, second))
            wait_healthy(front)
            code, headers, module = ask(first, "/v1/compile", SHADER % 1)
            check(code == 200 and headers["X-Coopc-Cache"] == "none", "the first compile")
            code, headers, same = ask(second, "/v1/compile", SHADER % 1)
            check(code == 200 and headers["X-Coopc-Cache"] == "shared" and same == module, "the other server has it")
            through = [ask(front, "/v1/compile", SHADER % n) for n in range(2, 12)]
            check(all(code == 200 for code, _, _ in through), "through the balancer")
            check(all(ask(at, "/v1/compile", SHADER % n)[1]["X-Coopc-Cache"] == "shared" for at in (first, second) for n in range(2, 12)), "each has all")
            check(metrics(first)["coopc_cache_lookups_total{from=\"shared\"}"] >= 10, "metrics")

            # One server is killed while clients ask, and no request is lost.
            threading.Timer(2, two.kill).start()
            run = subprocess.run([soak, f"--target=127.0.0.1:{front}", "--seconds=5", "--clients=6"], capture_output=True, text=True, check=False)
            print(run.stdout, run.stderr)
            check(two.poll() is not None, "one server is gone")
            check(re.search(r"^(\d{2,}) asked, 0 lost, 0 wrong answers", run.stdout, re.M), "nothing is lost")
        check(ask(front, "/v1/compile", SHADER % 50)[0] == 200, "the other one goes on")
        with start(second):
            check(ask(second, "/v1/compile", SHADER % 50)[1]["X-Coopc-Cache"] == "shared", "a new server has the results")

        # Without Redis the service compiles.
        data.kill()
        data.wait()
        check(ask(first, "/v1/compile", SHADER % 60)[0] == 200, "without Redis")
        check(metrics(first)["coopc_shared_cache_errors_total"] > 0, "metrics of errors")
        time.sleep(0.1)
        start_of = time.monotonic()
        codes = [ask(first, "/v1/compile", SHADER % n)[0] for n in range(61, 91)]
        check(codes == [200] * 30 and time.monotonic() - start_of < 30, "and as quickly")
check.end(12)
