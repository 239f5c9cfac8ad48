"""The filter that has learned, as the kernels have it (cuda/kernels/denoise/learned.cuh, tracer/denoise/learned.go): what a net is
given of each pixel, the net, and what becomes of the numbers that it gives. Dots, smooth edges and the balance, which the kernels add, are not here."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from passes import filter_pass, warp

# Planes of a recorded frame (enum RecordPlane); the reference and what is shown now follow, three each.
LIGHT, ERROR, EMISSION, ALBEDO, GLOSS, POLISH, NORMAL, DEPTH, LIT, SURFACE, SECOND, SHARE, PLANES = (
    0,
    3,
    4,
    7,
    10,
    11,
    12,
    15,
    16,
    17,
    20,
    23,
    24,
)
REFERENCE, SHOWN = PLANES, PLANES + 3

INPUTS, HIDDEN, FEATURES = 32, 32, 12
PASSES = [(2, 1), (1, 2), (1, 4), (1, 8), (1, 16)]  # reach and step
HEADS = FEATURES + len(PASSES) + 5
MOST_LEARNED, MOST_HELD, PICTURES_HELD = 1024, 1024, 4


def luminance(x):
    return 0.2126 * x[:, 0:1] + 0.7152 * x[:, 1:2] + 0.0722 * x[:, 2:3]


def on_curve(x):
    return torch.log2(1 + 16 * x.clamp(0, 1e6)) * 0.125


class Net(nn.Module):
    """A U-Net of four levels; x [B,32,H,W] -> numbers of each pixel [B,HEADS,H,W]."""

    def __init__(self):
        super().__init__()
        conv = lambda a, b: nn.Conv2d(a, b, 3, padding=1)
        self.e0 = conv(INPUTS, 16)
        self.e1, self.e1b = conv(16, 48), conv(48, 48)
        self.e2, self.e2b = conv(48, 64), conv(64, 64)
        self.e3, self.e3b = conv(64, 96), conv(96, 96)
        self.d2, self.d1, self.d0 = conv(96 + 64, 64), conv(64 + 48, 32), conv(32 + 16, HIDDEN)
        self.out = nn.Conv2d(HIDDEN, HEADS, 1)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, nonlinearity='relu')
                nn.init.zeros_(m.bias)
        with torch.no_grad():  # to begin with: a mild blur, trusting all pixels, with some of the past
            self.out.weight.mul_(0.3)
            self.out.bias[FEATURES:] = torch.tensor([1.0] * len(PASSES) + [2, 1, -1, 0, -1])

    def forward(self, x):
        up = lambda a: F.interpolate(a, scale_factor=2, mode='nearest')
        x0 = F.relu(self.e0(x))
        x1 = F.relu(self.e1b(F.relu(self.e1(F.max_pool2d(x0, 2)))))
        x2 = F.relu(self.e2b(F.relu(self.e2(F.max_pool2d(x1, 2)))))
        x3 = F.relu(self.e3b(F.relu(self.e3(F.max_pool2d(x2, 2)))))
        y = F.relu(self.d2(torch.cat([up(x3), x2], 1)))
        y = F.relu(self.d1(torch.cat([up(y), x1], 1)))
        return self.out(F.relu(self.d0(torch.cat([up(y), x0], 1))))


class Past:
    """What is known of each pixel from the frame before, reprojected: of its surface and of its second part."""

    def __init__(self, record, state):
        lit, like = record[:, LIT : LIT + 1], record[:, :3]
        if state is None:
            zero = torch.zeros_like(like)
            self.light = self.filtered = self.picture = (zero, zero)
            self.samples = (zero[:, :1], zero[:, :1])
            self.seen = self.lit_seen = self.reflected = zero[:, :1]
            return
        packed = torch.cat([state.light, state.samples, state.filtered, state.picture], 1)
        (a, seen), (b, second) = (warp(packed, record[:, p : p + 2], record[:, p + 2], 4) for p in (SURFACE, SECOND))
        self.seen = seen[:, None]
        self.lit_seen, self.reflected = self.seen * lit, second[:, None] * lit
        b = torch.where(self.reflected > 0, b, a)
        self.light, self.samples, self.filtered, self.picture = zip(*(p.split([3, 1, 3, 3], 1) for p in (a, b)))


class State:
    """What is carried over to the next frame, all but samples in units of the exposure."""

    def __init__(self, light, samples, filtered, picture):
        self.light, self.samples, self.filtered, self.picture = light, samples, filtered, picture


def mixed(pair, share):
    return pair[0] + (pair[1] - pair[0]) * share


def inputs(record, light, past, exposure, samples, shared, focus):
    """What the net is given: [B,32,H,W]. exposure, samples, shared and focus (log2 of metres) are [B]."""
    column = lambda v: v.view(-1, 1, 1, 1) * torch.ones_like(lit)
    plane = lambda p, n=1: record[:, p : p + n]
    lit, exposed = plane(LIT), exposure.view(-1, 1, 1, 1)
    known = (plane(ERROR) >= 0).float()
    relative = plane(ERROR).abs() * exposed / (luminance(light) + 0.01)
    share = plane(SHARE) * past.reflected
    return torch.cat(
        [
            on_curve(light),
            on_curve(mixed(past.light, share)),
            on_curve(past.filtered[0]),
            on_curve(luminance(past.filtered[1])),
            on_curve(past.picture[0]),
            plane(ALBEDO, 3),
            plane(GLOSS),
            plane(POLISH),
            plane(NORMAL, 3),
            ((plane(DEPTH) - focus.view(-1, 1, 1, 1)) * 0.25).clamp(-2, 2),
            ((torch.log2(relative + 1 / 256) + 8) / 12).clamp(0, 1) * known,
            known,
            column(torch.log2(samples.clamp(max=MOST_LEARNED)) * 0.125),
            torch.log2(1 + mixed(past.samples, share)) * 0.125,
            past.lit_seen,
            share,
            on_curve(luminance(plane(EMISSION, 3)).clamp(min=0) * exposed),
            lit,
            column(shared),
            past.reflected,
        ],
        1,
    )


def step(net, record, exposure, samples, shared, focus, state, half=True):
    """Filters a frame: record [B,24,H,W] -> picture [B,3,H,W] in units of the exposure, the next State, and the shares of the past."""
    exposed, n = exposure.view(-1, 1, 1, 1), samples.view(-1, 1, 1, 1)
    lit = record[:, LIT : LIT + 1]
    light = record[:, LIGHT : LIGHT + 3].clamp(min=0) * exposed * lit
    past = Past(record, state)
    x = inputs(record, light, past, exposure, samples, shared, focus)
    with torch.autocast(x.device.type, dtype=torch.bfloat16, enabled=half, cache_enabled=False):
        heads = net(x.contiguous(memory_format=torch.channels_last)).float()
    features, scales, trust, *shares = heads.split([FEATURES, len(PASSES), 1, 1, 1, 1, 1], 1)
    keep, blend, second, still = (torch.sigmoid(s) for s in shares)
    second = second * past.lit_seen
    keep, blend, still = keep * past.lit_seen, blend * past.lit_seen, torch.minimum(still, PICTURES_HELD / (n + PICTURES_HELD)) * past.seen
    light = light + (mixed(past.light, second) - light) * keep
    worth = 1 / ((1 - keep) ** 2 / n + keep**2 / mixed(past.samples, second).clamp(min=0.5))
    trust = (torch.sigmoid(trust) + 1e-4) * lit
    y, f, s = light.permute(0, 2, 3, 1), features.permute(0, 2, 3, 1), torch.exp(scales.clamp(-6, 6))
    for i, (reach, gap) in enumerate(PASSES):
        y = filter_pass(f, s[:, i], trust[:, 0], y, reach, gap)
    y = y.permute(0, 3, 1, 2)
    filtered = (y + (mixed(past.filtered, second) - y) * blend) * lit
    picture = filtered * record[:, ALBEDO : ALBEDO + 3] + record[:, EMISSION : EMISSION + 3] * exposed
    picture = picture + (mixed(past.picture, second) - picture) * still
    return picture, State(light, worth.clamp(max=MOST_HELD), filtered, picture), (keep, blend, second, still)
