"""LDR-FLIP (Andersson et al. 2020) in torch, differentiable: pictures are linear light in [0, 1], [B, 3, H, W]."""

import math

import torch
import torch.nn.functional as F

_M = torch.tensor(
    [
        [10135552 / 24577794, 8788810 / 24577794, 4435075 / 24577794],
        [2613072 / 12288897, 8788810 / 12288897, 887015 / 12288897],
        [1425312 / 73733382, 8788810 / 73733382, 70074185 / 73733382],
    ],
    dtype=torch.float64,
)
_M = _M / _M.sum(1, keepdim=True)
PPD = 0.7 * (3840 / 0.7) * math.pi / 180


def _kernel(radius, f):
    k = torch.tensor([f(x) for x in range(-radius, radius + 1)], dtype=torch.float64)
    p, n = k.clamp(min=0).sum(), (-k).clamp(min=0).sum()
    return torch.where(k > 0, k / p, torch.where(k < 0, k / n.clamp(min=1e-30), k)), p.item()


class Flip:
    def __init__(self, device):
        self.m = _M.to(device, torch.float32)
        self.inv = torch.linalg.inv(_M).to(device, torch.float32)
        r = math.ceil(3 * math.sqrt(0.04 / (2 * math.pi**2)) * PPD)
        self.color = []
        for terms in ([(1, 0.0047)], [(1, 0.0053)], [(34.1, 0.04), (13.5, 0.025)]):
            ks, ws = [], []
            for a, b in terms:
                k, s = _kernel(r, lambda x: math.exp(-(math.pi**2) * (x / PPD) ** 2 / b))
                ks.append(k.to(device, torch.float32))
                ws.append(a * math.sqrt(math.pi / b) * s * s)
            self.color.append([(k, w / sum(ws)) for k, w in zip(ks, ws)])
        s = 0.5 * 0.082 * PPD
        rad = math.ceil(3 * s)
        bell = lambda x: math.exp(-x * x / (2 * s * s))
        self.smooth, self.edge, self.point = [
            _kernel(rad, f)[0].to(device, torch.float32) for f in (bell, lambda x: -x * bell(x), lambda x: (x * x / (s * s) - 1) * bell(x))
        ]
        g, b = self.lab(self.m[:, 1].view(1, 3, 1, 1)), self.lab(self.m[:, 2].view(1, 3, 1, 1))
        self.cmax = self.hyab(g, b).item() ** 0.7

    def sep(self, x, kx, ky):
        c = x.shape[1]
        rx, ry = len(kx) // 2, len(ky) // 2
        x = F.pad(x, (rx, rx, ry, ry), mode='replicate')
        x = F.conv2d(x, kx.view(1, 1, 1, -1).expand(c, 1, 1, -1), groups=c)
        return F.conv2d(x, ky.view(1, 1, -1, 1).expand(c, 1, -1, 1), groups=c)

    def lab(self, xyz):
        d = 6 / 29
        f = torch.where(xyz > d**3, xyz.clamp(min=d**3) ** (1 / 3), xyz / (3 * d * d) + 4 / 29)
        L = 116 * f[:, 1] - 16
        return torch.stack([L, 0.01 * L * 500 * (f[:, 0] - f[:, 1]), 0.01 * L * 200 * (f[:, 1] - f[:, 2])], 1)

    def hyab(self, a, b):
        d = a - b
        return d[:, 0].abs() + torch.sqrt(d[:, 1] ** 2 + d[:, 2] ** 2 + 1e-12)

    def percept(self, rgb):
        xyz = torch.einsum('ij,bjhw->bihw', self.m, rgb.clamp(0, 1))
        opp = torch.stack([116 * xyz[:, 1] - 16, 500 * (xyz[:, 0] - xyz[:, 1]), 200 * (xyz[:, 1] - xyz[:, 2])], 1)
        y = (opp[:, :1] + 16) / 116
        feats = []
        for k in (self.edge, self.point):
            dx, dy = self.sep(y, k, self.smooth), self.sep(y, self.smooth, k)
            feats.append(torch.sqrt(dx**2 + dy**2 + 1e-12))
        out = [sum(w * self.sep(opp[:, c : c + 1], k, k) for k, w in self.color[c]) for c in range(3)]
        Y = (out[0] + 16) / 116
        lin = torch.einsum('ij,bjhw->bihw', self.inv, torch.cat([Y + out[1] / 500, Y, Y - out[2] / 200], 1)).clamp(0, 1)
        return self.lab(torch.einsum('ij,bjhw->bihw', self.m, lin)), feats

    def __call__(self, test, ref):
        a, fa = self.percept(test)
        with torch.no_grad():
            b, fb = self.percept(ref)
        e = (self.hyab(a, b) + 1e-6) ** 0.7
        bend = 0.4 * self.cmax
        c = torch.where(e < bend, 0.95 / bend * e, 0.95 + (e - bend) / (self.cmax - bend) * 0.05)
        f = torch.maximum((fa[0] - fb[0]).abs(), (fa[1] - fb[1]).abs())[:, 0] / math.sqrt(2)
        return (c.clamp(min=1e-6)) ** (1 - torch.sqrt(f + 1e-6))
