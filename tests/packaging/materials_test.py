#!/usr/bin/env python3
"""materials_test.py FILE ROOT LEAST_FILES NAME...: checks that FILE is an SPDX 2.3 bill of materials of the
files in ROOT, of which there are at least LEAST_FILES, and that it names these packages.

The clauses are those of SPDX 2.3: 6 (document), 7 (packages), 8 (files), 11 (relationships)."""
import hashlib
import json
import pathlib
import re
import sys


def require(condition, text):
    if not condition:
        sys.exit(f"bill of materials: {text}")


def main():
    path, root, least, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    document = json.loads(path.read_text(encoding="utf-8"))
    require(document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0", "6.1, 6.2: version and licence")
    require(document["SPDXID"] == "SPDXRef-DOCUMENT" and document["name"], "6.3, 6.4: identifier and name")
    require(re.fullmatch(r"https://[^#\s]+", document["documentNamespace"]), "6.5: namespace")
    creation = document["creationInfo"]
    require(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation["created"]), "6.9: created")
    require(creation["creators"] and all(re.match(r"(Person|Organization|Tool): \S", c) for c in creation["creators"]), "6.8: creators")

    ids = ["SPDXRef-DOCUMENT"] + [e["SPDXID"] for e in document["packages"] + document["files"]]
    require(len(ids) == len(set(ids)), "identifiers are not unique")
    require(all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", i) for i in ids), "7.2, 8.2: form of identifiers")
    for relation in document["relationships"]:
        require(relation["spdxElementId"] in ids and relation["relatedSpdxElement"] in ids, f"11.1: {relation}")
        require(relation["relationshipType"] in ("DESCRIBES", "DEPENDS_ON", "CONTAINS"), f"11.1: {relation}")
    related = {r["relatedSpdxElement"] for r in document["relationships"]}
    require(related == set(ids) - {"SPDXRef-DOCUMENT"}, "11: an element without a relationship")

    own, *parts = document["packages"]
    require(own["versionInfo"] and own["filesAnalyzed"] is True, "7: the package itself")
    for part in parts:
        require(part["name"] and part["downloadLocation"] and part["filesAnalyzed"] is False, f"7: {part}")
        if part["versionInfo"] != "NOASSERTION":
            require(all(re.fullmatch(r"[0-9a-f]{64}", c["checksumValue"]) for c in part["checksums"]), f"7.10: {part}")
            require(part["externalRefs"][0]["referenceLocator"].startswith(f"pkg:deb/debian/{part['name']}@"), f"7.21: {part}")
    found = {p["name"] for p in document["packages"]}
    require(set(names) <= found, f"{set(names) - found} are not there")

    there = {"./" + str(f.relative_to(root)) for f in root.rglob("*") if f.is_file() and not f.is_symlink() and f != path}
    listed = {f["fileName"]: {c["algorithm"]: c["checksumValue"] for c in f["checksums"]} for f in document["files"]}
    require(set(listed) == there, f"8.1: listed and not there, or the other way round: {set(listed) ^ there}")
    for name, sums in listed.items():
        content = (root / name).read_bytes()
        require(sums == {"SHA1": hashlib.sha1(content).hexdigest(), "SHA256": hashlib.sha256(content).hexdigest()}, f"8.4: {name}")
    code = hashlib.sha1("".join(sorted(s["SHA1"] for s in listed.values())).encode()).hexdigest()
    require(own["packageVerificationCode"]["packageVerificationCodeValue"] == code, "7.9: verification code")
    require(len(listed) >= least, f"only {len(listed)} files")
    print(f"{own['name']}: {len(listed)} files, {len(parts)} packages in it")


if __name__ == "__main__":
    main()
