"""inspect_shader.py FILE...: compiles compute shaders, checks the modules, and prints what a pipeline of each
needs."""
import sys
from pathlib import Path

import coopc

failed = False
for path in map(Path, sys.argv[1:]):
    result = coopc.compile(path.read_bytes(), str(path), target_env=coopc.TargetEnv.VULKAN_1_3,
                           optimization=coopc.Optimization.SPEED)
    sys.stderr.write(result.messages)
    if not result.ok:
        failed = True
        continue
    for finding in coopc.validate(result.spirv).findings:
        print(f"{path}: {finding.severity}: {finding.message} [{finding.rule}]")
    reflection = coopc.reflect(result.spirv)
    print(f"{path}: {len(result.spirv)} bytes, {len(reflection['bindings'])} bindings")
    for binding in reflection["bindings"]:
        print(f"  set {binding['set']} binding {binding['binding']}: {binding['kind']}")
sys.exit(1 if failed else 0)
