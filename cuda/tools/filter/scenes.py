"""Writes scenes that the filter learns from: scenes.py OUT COUNT SEED. Each is one object, with fine textures of a random kind for colour,
roughness and metalness, bumps or glow. Needs numpy and pillow."""

import io
import json
import os
import struct
import sys
from multiprocessing import Pool

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIDE = 512  # of textures
random = None  # of the object that is made
ys, xs = np.mgrid[:SIDE, :SIDE]


# --- Patterns: [SIDE, SIDE] of 0 to 1 ---


def lines():
    a, width = np.zeros((SIDE, SIDE)), random.uniform(0.8, 3)
    for _ in range(random.integers(40, 200)):
        t, (x, y), length = random.uniform(0, np.pi), random.uniform(0, SIDE, 2), random.uniform(SIDE / 12, SIDE / 4)
        across, along = (xs - x) * np.sin(t) - (ys - y) * np.cos(t), (xs - x) * np.cos(t) + (ys - y) * np.sin(t)
        a[(abs(across) < width) & (abs(along) < length)] = 1
    return a


def noise(octaves=5):
    a = np.zeros((SIDE, SIDE))
    for o in range(octaves):
        grid = random.uniform(size=(4 * 2**o, 4 * 2**o))
        a += np.asarray(Image.fromarray((grid * 255).astype(np.uint8)).resize((SIDE, SIDE), Image.BICUBIC)) / 2**o
    return (a - a.min()) / (a.max() - a.min())


def cells(count=120):
    nearest = second = np.full((SIDE, SIDE), 1e9)
    which = np.zeros((SIDE, SIDE))
    for i, (x, y) in enumerate(random.uniform(0, SIDE, (count, 2))):
        d = (xs - x) ** 2 + (ys - y) ** 2
        closer = d < nearest
        second, which = np.where(closer, nearest, np.minimum(second, d)), np.where(closer, i / count, which)
        nearest = np.where(closer, d, nearest)
    return which if random.random() < 0.5 else (np.sqrt(second) - np.sqrt(nearest) < 3).astype(float)


def text():
    image = Image.new('L', (SIDE, SIDE))
    for row in range(20):
        words = ''.join(random.choice(list('abcdefghijklmnop QRSTU 0123456789'), 60))
        ImageDraw.Draw(image).text(
            (random.integers(-20, 20), row * 26), words, fill=255, font=ImageFont.load_default(int(random.integers(12, 24)))
        )
    return np.asarray(image) / 255.0


def checks():
    side = random.integers(3, 24)
    return ((xs // side + ys // side) % 2).astype(float)


def stripes():
    turn, rate = random.uniform(0, np.pi), random.uniform(0.1, 0.9)
    return (np.sin((xs * np.cos(turn) + ys * np.sin(turn)) * rate) > random.uniform(-0.5, 0.8)).astype(float)


def dots():
    side = random.integers(8, 40)
    return ((xs % side - side / 2) ** 2 + (ys % side - side / 2) ** 2 < (side * random.uniform(0.15, 0.45)) ** 2).astype(float)


def pattern():
    return [lines, noise, cells, text, checks, stripes, dots][random.integers(7)]()


def tinted(a, low, high):
    return a[..., None] * np.array(high) + (1 - a[..., None]) * np.array(low)


def bumps(height, depth):
    shifts = [np.roll(height, s, axis) for axis in (0, 1) for s in (1, -1)]
    h = (height + sum(shifts)) / 5 * depth
    n = np.stack([np.roll(h, 1, 1) - np.roll(h, -1, 1), np.roll(h, -1, 0) - np.roll(h, 1, 0), np.ones_like(h)], -1)
    return n / np.linalg.norm(n, axis=-1, keepdims=True) * 0.5 + 0.5


# --- Shapes: positions, normals, texture coordinates, indices ---


def grid(n, m, surface):
    v, u = np.linspace(0, 1, n + 1)[:, None], np.linspace(0, 1, m + 1)[None]
    u, v = np.broadcast_arrays(u, v)
    position, normal, uv = surface(2 * np.pi * u, v)
    i = (np.arange(n)[:, None] * (m + 1) + np.arange(m)[None]).reshape(-1)
    indices = np.stack([i, i + m + 1, i + 1, i + 1, i + m + 1, i + m + 2], -1)
    return [a.reshape(-1, a.shape[-1]) for a in (position, normal, uv)] + [indices.reshape(-1)]


def ball(u, v):
    p = np.stack([np.sin(np.pi * v) * np.sin(u), np.cos(np.pi * v), np.sin(np.pi * v) * np.cos(u)], -1)
    return p, p, np.stack([u / (2 * np.pi), v], -1)


def ring(u, v):
    t = -2 * np.pi * v
    n = np.stack([np.cos(t) * np.sin(u), np.sin(t), np.cos(t) * np.cos(u)], -1)
    return 0.38 * n + 0.75 * np.stack([np.sin(u), 0 * u, np.cos(u)], -1), n, np.stack([3 * u / (2 * np.pi), v], -1)


def box():
    out = [[], [], [], []]
    for axis in range(3):
        for sign in (-1, 1):
            corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)][::sign]
            first = len(out[0])
            for a, b in corners:
                p, n = np.zeros(3), np.zeros(3)
                p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3], n[axis] = 0.8 * sign, 0.8 * a, 0.8 * b, sign
                out[0].append(p), out[1].append(n), out[2].append(((a + 1) / 2, (b + 1) / 2))
            out[3] += [first, first + 1, first + 2, first, first + 2, first + 3]
    return [np.array(a) for a in out]


# --- Files ---


def png(a):
    out = io.BytesIO()
    Image.fromarray((np.clip(a, 0, 1) * 255 + 0.5).astype(np.uint8)).save(out, 'PNG')
    return out.getvalue()


def write(path, parts, images, eye=(0, 0.6, 3.2), tilt=-0.185, uses=()):
    """Writes a scene: parts are pairs of a shape and a material, the camera is at eye and looks down by -tilt radians."""
    blob, views, accessors, meshes = b'', [], [], []

    def view(data):
        nonlocal blob
        blob += bytes(-len(blob) % 4)
        views.append(dict(buffer=0, byteOffset=len(blob), byteLength=len(data)))
        blob += data
        return len(views) - 1

    def accessor(values, kind, code='<f4', component=5126):
        values = values.astype(code)
        row = dict(bufferView=view(values.tobytes()), componentType=component, count=len(values), type=kind)
        if kind != 'SCALAR':
            row.update(min=values.min(0).tolist(), max=values.max(0).tolist())
        accessors.append(row)
        return len(accessors) - 1

    for i, ((position, normal, uv, indices), _) in enumerate(parts):
        attributes = dict(POSITION=accessor(position, 'VEC3'), NORMAL=accessor(normal, 'VEC3'), TEXCOORD_0=accessor(uv, 'VEC2'))
        meshes.append(dict(primitives=[dict(attributes=attributes, indices=accessor(indices, 'SCALAR', '<u4', 5125), material=i)]))
    pictures = [dict(bufferView=view(png(a)), mimeType='image/png') for a in images]
    document = dict(
        asset=dict(version='2.0', copyright='CC0'),
        scene=0,
        scenes=[dict(nodes=list(range(len(parts) + 1)))],
        nodes=[dict(mesh=i) for i in range(len(parts))]
        + [dict(camera=0, translation=list(eye), rotation=[np.sin(tilt / 2), 0, 0, np.cos(tilt / 2)])],
        cameras=[dict(type='perspective', perspective=dict(yfov=0.7, znear=0.01))],
        meshes=meshes,
        materials=[material for _, material in parts],
        accessors=accessors,
        bufferViews=views,
        buffers=[dict(byteLength=len(blob))],
    )
    if images:
        document.update(
            images=pictures,
            textures=[dict(source=i, sampler=0) for i in range(len(pictures))],
            samplers=[dict(magFilter=9729, minFilter=9987)],
        )
    if uses:
        document['extensionsUsed'] = list(uses)
    text = json.dumps(document).encode()
    text, blob = text + b' ' * (-len(text) % 4), blob + bytes(-len(blob) % 4)
    with open(path, 'wb') as out:
        out.write(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob)))
        out.write(struct.pack('<I4s', len(text), b'JSON') + text + struct.pack('<I4s', len(blob), b'BIN\0') + blob)


def object_of(shape, path):
    images = []

    def texture(a):
        images.append(a)
        return dict(index=len(images) - 1)

    paint = pattern()
    surface = dict(
        baseColorTexture=texture(tinted(paint, random.uniform(0.02, 0.9, 3), random.uniform(0.02, 0.95, 3))),
        metallicFactor=float(random.random() < 0.45),
        roughnessFactor=float(0.03 * 33 ** random.uniform()),
    )
    material = dict(pbrMetallicRoughness=surface)
    if random.random() < 0.5:
        where = (paint if random.random() < 0.5 else pattern()) > 0.5
        mixed = np.zeros((SIDE, SIDE, 3))
        mixed[..., 1] = np.where(where, *random.uniform(0.05, 1, 2))
        mixed[..., 2] = np.where(where, random.random() < 0.6, random.random() < 0.4)
        surface.update(metallicRoughnessTexture=texture(mixed), metallicFactor=1.0, roughnessFactor=1.0)
    if random.random() < 0.5:
        material['normalTexture'] = texture(bumps(pattern(), random.uniform(0.3, 2.5)))
    if random.random() < 0.2:
        material.update(
            emissiveFactor=[1, 1, 1], emissiveTexture=texture(tinted(pattern() * (noise(2) > 0.55), (0, 0, 0), random.uniform(0.1, 1, 3)))
        )
    write(path, [(shape, material)], images)


def make(i, folder, seed):
    global random
    random = np.random.default_rng((11 + seed, i))
    shape = [lambda: grid(64, 128, ball), lambda: grid(64, 160, ring), box][i % 3]()
    object_of(shape, os.path.join(folder, f'object{i:02d}.glb'))


if __name__ == '__main__':
    out, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(out, exist_ok=True)
    with Pool() as pool:
        pool.starmap(make, [(i, out, seed) for i in range(count)])
