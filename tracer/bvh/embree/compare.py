#!/usr/bin/env python3
"""Compares glint's CPU rays with Embree's on the same triangles and rays, one thread each, in one run.

    python3 -m venv venv && venv/bin/pip install embreex==4.4.0.post1 numpy
    venv/bin/python tracer/bvh/embree/compare.py FOLDER      # from the root of the repository

FOLDER holds .glb scenes of plain triangle meshes in float32 with uint32 or uint16 indices; a 3 x 2 x 3 m room around the
origin, floor at y = 0, fits the camera and the light of the rays. The Go benchmark writes the rays and times glint; this
script times Embree. Both are the best of a few rounds; leave the machine idle meanwhile."""
import json, os, pathlib, re, struct, subprocess, sys, time
import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

ROUNDS = 4
KINDS = {"primary": "INTERSECT", "bounce": "INTERSECT", "shadow": "OCCLUDED"}
COMPONENTS = {5126: "<f4", 5125: "<u4", 5123: "<u2"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}


def triangles(path):
    """World-space corners, one row of nine floats a triangle."""
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    scene, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def accessor(i):
        a = scene["accessors"][i]
        start = scene["bufferViews"][a["bufferView"]].get("byteOffset", 0) + a.get("byteOffset", 0)
        width = WIDTHS[a["type"]]
        return np.frombuffer(binary, COMPONENTS[a["componentType"]], a["count"] * width, start).reshape(-1, width)

    out = []
    for node in (n for n in scene["nodes"] if "mesh" in n):
        for part in scene["meshes"][node["mesh"]]["primitives"]:
            v = accessor(part["attributes"]["POSITION"]) * np.array(node.get("scale", [1.0, 1.0, 1.0]))
            q = np.array(node.get("rotation", [0.0, 0.0, 0.0, 1.0]))
            v = v + 2 * np.cross(q[:3], np.cross(q[:3], v) + q[3] * v) + np.array(node.get("translation", [0.0, 0.0, 0.0]))
            out.append(v.astype(np.float32)[accessor(part["indices"]).ravel()].reshape(-1, 9))
    return np.concatenate(out)


def glint(folder):
    """Mrays/s by (scene, kind), from the Go benchmark: through the tree that suits the build best."""
    command = ["go", "test", "./tracer/bvh", "-run", "^$", "-bench", "^BenchmarkTrace$", "-count", str(ROUNDS)]
    text = subprocess.run(command, env=os.environ | {"GLINT_RAYS": str(folder)}, check=True, stdout=subprocess.PIPE, text=True).stdout
    rates = {}
    for scene, kind, rate in re.findall(r"^BenchmarkTrace/([^/\s]+)/(\w+)/queue(?:-\d+)?\s.*?([\d.]+) Mrays/s", text, re.M):
        rates[scene, kind] = max(float(rate), rates.get((scene, kind), 0))
    return rates


def embree(folder, name):
    """Mrays/s by kind."""
    scene = EmbreeScene()
    TriangleMesh(scene, np.fromfile(folder / f"{name}.tri", np.float32).reshape(-1, 3, 3))
    rates = {}
    for kind, query in KINDS.items():
        rays = np.fromfile(folder / f"{name}.{kind}.rays", np.float32).reshape(-1, 8)
        origin, limit, direction = (np.ascontiguousarray(rays[:, c]) for c in (slice(0, 3), 3, slice(4, 7)))
        scene.run(origin[:1], direction[:1])  # builds the tree
        best = np.inf
        for _ in range(ROUNDS):
            start = time.perf_counter()
            scene.run(origin, direction, dists=limit, query=query)
            best = min(best, time.perf_counter() - start)
        rates[kind] = len(rays) / best * 1e-6
    return rates


def main(folder):
    names = sorted(p.stem for p in folder.glob("*.glb"))
    for name in names:
        triangles(folder / f"{name}.glb").tofile(folder / f"{name}.tri")
    ours = glint(folder)
    print(f"{'scene':10} {'rays':8} {'glint':>8} {'Embree':>8}  Mrays/s, one thread; ratio")
    for name in names:
        for kind, rate in embree(folder, name).items():
            mine = ours[name, kind]
            print(f"{name:10} {kind:8} {mine:8.2f} {rate:8.2f}  {mine / rate:.2f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve())
