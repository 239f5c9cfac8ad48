"""Writes scenes unlike those that the filter learned from: unseen.py OUT. Needs numpy and pillow.

hair: lines a pixel wide and less. decal: glowing words on black. behind-glass: words behind two panes. caustics: a polished ring and a glass ball
under a small lamp. lamp: a dark room with one lamp. million: a lamp 10⁶ times as bright as what is around."""

import os
import sys

import numpy as np

import scenes as S


def quad(corner, right, up):
    corner, right, up = (np.array(v, float) for v in (corner, right, up))
    uv = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], float)
    position = corner + uv[:, :1] * right + (1 - uv[:, 1:]) * up
    normal = np.cross(right, up)
    return [position, np.tile(normal / np.linalg.norm(normal), (4, 1)), uv, np.array([0, 1, 2, 0, 2, 3])]


def placed(shape, scale, at):
    return [shape[0] * scale + np.array(at, float), *shape[1:]]


def matte(r, g=None, b=None):
    return dict(pbrMetallicRoughness=dict(baseColorFactor=[r, r if g is None else g, r if b is None else b, 1], metallicFactor=0, roughnessFactor=0.9))


def lamp(strength):
    return dict(emissiveFactor=[1, 1, 1], extensions=dict(KHR_materials_emissive_strength=dict(emissiveStrength=strength)))


def main(out):
    os.makedirs(out, exist_ok=True)
    S.random = np.random.default_rng(23)
    ball, ring = S.grid(64, 128, S.ball), S.grid(64, 160, S.ring)
    floor = (quad((-4, -1, 4), (8, 0, 0), (0, 0, -8)), matte(0.6))
    walls = [(quad((-4, -1, -2), (8, 0, 0), (0, 5, 0)), matte(0.5, 0.45, 0.4)), (quad((-2.5, -1, 4), (0, 0, -8), (0, 5, 0)), matte(0.5, 0.2, 0.15))]
    glass = dict(pbrMetallicRoughness=dict(metallicFactor=0, roughnessFactor=0), extensions=dict(KHR_materials_transmission=dict(transmissionFactor=1)))
    glowing, clear = 'KHR_materials_emissive_strength', 'KHR_materials_transmission'
    textured = lambda **more: dict(pbrMetallicRoughness=dict(baseColorTexture=dict(index=0), metallicFactor=0, roughnessFactor=0.5, **more))
    file = lambda name: os.path.join(out, name + '.glb')

    hair = np.zeros((S.SIDE, S.SIDE))
    for _ in range(400):
        x, bend, turn = S.random.uniform(0, S.SIDE), S.random.uniform(-40, 40), S.random.uniform(0, 6)
        rows = np.arange(S.SIDE)
        hair[rows, (x + bend * np.sin(rows / 90 + turn)).astype(int) % S.SIDE] = 1
    S.write(file('hair'), [(ball, textured())], [S.tinted(hair, (0.85, 0.8, 0.7), (0.05, 0.03, 0.02))])
    words = S.text()
    decal = dict(pbrMetallicRoughness=dict(baseColorFactor=[0.02, 0.02, 0.02, 1], metallicFactor=0, roughnessFactor=0.3))
    S.write(
        file('decal'),
        [(ball, dict(decal, emissiveTexture=dict(index=0), emissiveFactor=[1, 1, 1])), floor],
        [S.tinted(words * (S.noise(2) > 0.4), (0, 0, 0), (0.2, 0.9, 0.6))],
    )
    panes = [(quad((-1.2, -0.9, z), (2.4, 0.2, 0), (0, 2, 0.3 * z)), glass) for z in (0.6, 1.0)]
    S.write(
        file('behind-glass'),
        [(quad((-1.5, -1, 0), (3, 0, 0), (0, 2.4, 0)), textured()), floor, *panes],
        [S.tinted(words, (0.9, 0.88, 0.8), (0.05, 0.05, 0.1))],
        uses=[clear],
    )
    metal = dict(pbrMetallicRoughness=dict(baseColorFactor=[0.95, 0.75, 0.4, 1], metallicFactor=1, roughnessFactor=0.05))
    S.write(
        file('caustics'),
        [floor, (placed(ring, 0.9, (-0.5, -0.65, 0)), metal), (placed(ball, 0.45, (1.1, -0.55, 0.3)), glass), (placed(ball, 0.12, (1.5, 3, 1)), lamp(400))],
        [],
        eye=(0, 1.2, 3.6),
        tilt=-0.38,
        uses=[clear, glowing],
    )
    for name, strength in (('lamp', 30), ('million', 1e6)):
        S.write(
            file(name),
            [floor, *walls, (placed(S.box(), 0.5, (0.5, -0.6, -0.4)), matte(0.7)), (placed(ball, 0.08, (-0.6, 0.3, 0)), lamp(strength))],
            [],
            uses=[glowing],
        )


if __name__ == '__main__':
    main(sys.argv[1])
