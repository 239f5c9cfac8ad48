"""The filter's passes and the reprojection, with their gradients: CUDA on a GPU, plain torch elsewhere."""

import numpy as np
import torch

SRC = r"""
#define F %d
__device__ __forceinline__ float spline(int d) { return d == 0 ? 0.375f : d * d == 1 ? 0.25f : 0.0625f; }
// falloff is (1 - x/16)^16, about exp(-x), as the kernels have it (expMinus); slope is its derivative
__device__ __forceinline__ float falloff(float x, float* slope) {
  float y = fmaxf(1.0f - x / 16.0f, 0.0f), y2 = y * y, y4 = y2 * y2, y8 = y4 * y4;
  *slope = -y8 * y4 * y2 * y;
  return y8 * y8;
}
// f [N,H,W,F], s, c [N,H,W], x [N,H,W,3] -> y [N,H,W,3], W [N,H,W]
extern "C" __global__ void forward(const float* f, const float* s, const float* c, const float* x, float* y, float* sum, int n, int h, int w, int reach, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * h * w) return;
  int px = i %% w, py = i / w %% h, base = i - py * w - px;
  float own[F];
  for (int k = 0; k < F; k++) own[k] = f[(size_t)i * F + k];
  float S = s[i], r = 0, g = 0, b = 0, t = 0;
  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = -reach; dx <= reach; dx++) {
      int qx = px + dx * step, qy = py + dy * step;
      if (qx < 0 || qy < 0 || qx >= w || qy >= h) continue;
      int j = base + qy * w + qx;
      float d = 0;
      for (int k = 0; k < F; k++) { float u = f[(size_t)j * F + k] - own[k]; d += u * u; }
      float slope, a = spline(dx) * spline(dy) * c[j] * falloff(S * d, &slope);
      t += a; r += a * x[3 * j]; g += a * x[3 * j + 1]; b += a * x[3 * j + 2];
    }
  float inv = 1.0f / (t + 1e-12f);
  y[3 * i] = r * inv; y[3 * i + 1] = g * inv; y[3 * i + 2] = b * inv; sum[i] = t + 1e-12f;
}
extern "C" __global__ void backward(const float* f, const float* s, const float* c, const float* x, const float* y, const float* sum, const float* g,
    float* df, float* ds, float* dc, float* dx_, int n, int h, int w, int reach, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * h * w) return;
  int px = i %% w, py = i / w %% h, base = i - py * w - px;
  float own[F], grad[F];
  for (int k = 0; k < F; k++) { own[k] = f[(size_t)i * F + k]; grad[k] = 0; }
  float S = s[i], C = c[i], gs = 0, gc = 0, gx[3] = {0, 0, 0};
  float xi[3] = {x[3*i], x[3*i+1], x[3*i+2]}, yi[3] = {y[3*i], y[3*i+1], y[3*i+2]}, gi[3] = {g[3*i], g[3*i+1], g[3*i+2]}, inv = 1.0f / sum[i];
  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = -reach; dx <= reach; dx++) {
      int qx = px + dx * step, qy = py + dy * step;
      if (qx < 0 || qy < 0 || qx >= w || qy >= h) continue;
      int j = base + qy * w + qx;
      float d = 0, u[F];
      for (int k = 0; k < F; k++) { u[k] = own[k] - f[(size_t)j * F + k]; d += u[k] * u[k]; }
      float sp = spline(dx) * spline(dy);
      // i is the centre, j the tap
      float e = 0;
      for (int k = 0; k < 3; k++) e += gi[k] * (x[3 * j + k] - yi[k]);
      float slope;
      falloff(S * d, &slope);
      float v = sp * c[j] * slope * e * inv;   // by S * d
      gs += d * v;
      float both = S * v;
      // j is the centre, i the tap
      float Sj = s[j], invj = 1.0f / sum[j], a = sp * falloff(Sj * d, &slope) * invj;
      e = 0;
      for (int k = 0; k < 3; k++) { float gj = g[3 * j + k]; gx[k] += a * C * gj; e += gj * (xi[k] - y[3 * j + k]); }
      gc += a * e;
      both += Sj * sp * slope * invj * C * e;
      for (int k = 0; k < F; k++) grad[k] += 2.0f * u[k] * both;
    }
  for (int k = 0; k < F; k++) df[(size_t)i * F + k] = grad[k];
  ds[i] = gs; dc[i] = gc;
  for (int k = 0; k < 3; k++) dx_[3 * i + k] = gx[k];
}
"""
_mods = {}


def module(F):
    import cupy

    if F not in _mods:
        _mods[F] = cupy.RawModule(code=SRC % F, options=('--use_fast_math',), backend='nvrtc')
    return _mods[F]


def launch(k, n, args):
    import cupy

    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        k(((n + 127) // 128,), (128,), tuple(a.data_ptr() if torch.is_tensor(a) else a for a in args))


class Pass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, f, s, c, x, reach, step):
        f, s, c, x = f.contiguous(), s.contiguous(), c.contiguous(), x.contiguous()
        n, h, w, F = f.shape
        y, t = torch.empty_like(x), torch.empty_like(s)
        i = np.int32
        launch(module(F).get_function('forward'), n * h * w, (f, s, c, x, y, t, i(n), i(h), i(w), i(reach), i(step)))
        ctx.save_for_backward(f, s, c, x, y, t)
        ctx.dims = (reach, step)
        return y

    @staticmethod
    def backward(ctx, g):
        f, s, c, x, y, t = ctx.saved_tensors
        n, h, w, F = f.shape
        g = g.contiguous()
        df, ds, dc, dx = torch.empty_like(f), torch.empty_like(s), torch.empty_like(c), torch.empty_like(x)
        i = np.int32
        launch(
            module(F).get_function('backward'),
            n * h * w,
            (f, s, c, x, y, t, g, df, ds, dc, dx, i(n), i(h), i(w), i(ctx.dims[0]), i(ctx.dims[1])),
        )
        return df, ds, dc, dx, None, None


def pass_plain(f, s, c, x, reach, step):
    sp = {0: 0.375, 1: 0.25, 2: 0.0625}
    n, h, w, F = f.shape
    p = reach * step
    pad = lambda a: torch.nn.functional.pad(a, (0, 0, p, p, p, p))
    fp, xp = pad(f), pad(x)
    cp = pad(c[..., None])[..., 0]
    num, den = 0, 1e-12
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            ys, xs = slice(p + dy * step, p + dy * step + h), slice(p + dx * step, p + dx * step + w)
            a = sp[abs(dx)] * sp[abs(dy)] * cp[:, ys, xs] * (1 - s * ((fp[:, ys, xs] - f) ** 2).sum(-1) / 16).clamp(min=0) ** 16
            num = num + a[..., None] * xp[:, ys, xs]
            den = den + a
    return num / den[..., None]


def filter_pass(f, s, c, x, reach, step):
    return Pass.apply(f, s, c, x, reach, step) if f.is_cuda else pass_plain(f, s, c, x, reach, step)


def warp_taps(away, mask, h, w):
    """away [B,2,H,W] pixels to the right and down, mask [B,H,W] bits -> indices and weights [B,4,H*W], valid [B,1,H,W]"""
    x = away[:, 0] + torch.arange(w, device=away.device)
    y = away[:, 1] + torch.arange(h, device=away.device).view(-1, 1)
    x0, y0 = x.floor(), y.floor()
    ax, ay = x - x0, y - y0
    idx, wt = [], []
    m = mask.to(torch.int32)
    for k in range(4):
        xx, yy = x0 + (k & 1), y0 + (k >> 1)
        ok = ((m >> k) & 1).bool() & (xx >= 0) & (yy >= 0) & (xx < w) & (yy < h)
        a = (ax if k & 1 else 1 - ax) * (ay if k & 2 else 1 - ay)
        idx.append((yy.clamp(0, h - 1) * w + xx.clamp(0, w - 1)).long().flatten(1))
        wt.append((a * ok).flatten(1))
    wt = torch.stack(wt, 1)
    sum_ = wt.sum(1, keepdim=True)
    valid = (sum_ > 0.01).float()
    return torch.stack(idx, 1), wt / sum_.clamp(min=1e-6) * valid, valid.view(-1, 1, h, w)


def warp(a, taps):
    """a [B,C,H,W] -> the same, reprojected"""
    idx, wt, _ = taps
    b, c, h, w = a.shape
    flat = a.reshape(b, c, -1)
    out = 0
    for k in range(4):
        out = out + torch.gather(flat, 2, idx[:, k : k + 1].expand(b, c, -1)) * wt[:, k : k + 1]
    return out.view(b, c, h, w)
