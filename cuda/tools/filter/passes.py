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
_modules = {}


def module(source):
    import cupy

    if source not in _modules:
        _modules[source] = cupy.RawModule(code=source, options=('--use_fast_math',), backend='nvrtc')
    return _modules[source]


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
        launch(module(SRC % F).get_function('forward'), n * h * w, (f, s, c, x, y, t, i(n), i(h), i(w), i(reach), i(step)))
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
            module(SRC % F).get_function('backward'),
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


# --- Reprojection ---

WARP = r"""
// What is at a place of the frame before (samplePast of temporal.cuh): w [4] and sum of its four pixels, and whether a spline is to be used.
struct Place { int x, y; float ax, ay, w[4], sum; bool sharp; };
__device__ Place place(const float* away, const float* bits, int i, int n, int h, int w) {
  int hw = h * w, p = i - n * hw;
  float px = p % w + away[(size_t)n * 2 * hw + p], py = p / w + away[(size_t)n * 2 * hw + hw + p];
  Place t;
  t.x = (int)floorf(px); t.y = (int)floorf(py);
  t.ax = px - t.x; t.ay = py - t.y; t.sum = 0;
  int m = (int)bits[i];
  for (int k = 0; k < 4; k++) {
    int xx = t.x + (k & 1), yy = t.y + (k >> 1);
    bool ok = (m >> k & 1) && xx >= 0 && yy >= 0 && xx < w && yy < h;
    t.w[k] = ok ? (k & 1 ? t.ax : 1 - t.ax) * (k & 2 ? t.ay : 1 - t.ay) : 0;
    t.sum += t.w[k];
  }
  t.sharp = t.sum >= 0.999f && t.w[0] > 0 && t.x >= 1 && t.y >= 1 && t.x + 2 < w && t.y + 2 < h;
  return t;
}
__device__ float cubic(int i, float a) {
  if (i == 0) return a * (-0.5f + a * (1 - 0.5f * a));
  if (i == 1) return 1 + a * a * (-2.5f + 1.5f * a);
  if (i == 2) return a * (0.5f + a * (2 - 1.5f * a));
  return a * a * (-0.5f + 0.5f * a);
}
struct Spline { float value; int least, most; float low, high; };
__device__ Spline spline(const float* a, const Place& t, int w) {
  Spline s = {0, 0, 0, 1e30f, -1e30f};
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) {
      int q = (t.y + j - 1) * w + t.x + i - 1;
      float v = a[q];
      s.value += v * cubic(i, t.ax) * cubic(j, t.ay);
      if (i % 3 == 0 || j % 3 == 0) continue;
      if (v < s.low) s.low = v, s.least = q;
      if (v > s.high) s.high = v, s.most = q;
    }
  return s;
}
// a [N,C,H,W], away [N,2,H,W], bits [N,H,W] -> y [N,C,H,W], valid [N,H,W]
extern "C" __global__ void warp_forward(const float* a, const float* away, const float* bits, float* y, float* valid, int count, int c, int h, int w, int blurred) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, hw = h * w;
  if (i >= count * hw) return;
  int n = i / hw;
  Place t = place(away, bits, i, n, h, w);
  bool ok = t.sum > 0.01f;
  valid[i] = ok;
  for (int k = 0; k < c; k++) {
    const float* from = a + ((size_t)n * c + k) * hw;
    float v = 0;
    if (ok && k >= blurred && t.sharp) {
      Spline s = spline(from, t, w);
      v = fmaxf(s.low, fminf(s.value, s.high));
    } else if (ok)
      for (int j = 0; j < 4; j++)
        if (t.w[j] > 0) v += from[(t.y + (j >> 1)) * w + t.x + (j & 1)] * t.w[j] / t.sum;
    y[((size_t)n * c + k) * hw + i - n * hw] = v;
  }
}
extern "C" __global__ void warp_backward(const float* a, const float* away, const float* bits, const float* g, float* da, int count, int c, int h, int w, int blurred) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, hw = h * w;
  if (i >= count * hw) return;
  int n = i / hw;
  Place t = place(away, bits, i, n, h, w);
  if (!(t.sum > 0.01f)) return;
  for (int k = 0; k < c; k++) {
    size_t plane = ((size_t)n * c + k) * hw;
    float own = g[plane + i - n * hw];
    if (k >= blurred && t.sharp) {
      Spline s = spline(a + plane, t, w);
      if (s.value < s.low) atomicAdd(da + plane + s.least, own);
      else if (s.value > s.high) atomicAdd(da + plane + s.most, own);
      else
        for (int j = 0; j < 16; j++)
          atomicAdd(da + plane + (t.y + j / 4 - 1) * w + t.x + j % 4 - 1, own * cubic(j % 4, t.ax) * cubic(j / 4, t.ay));
    } else
      for (int j = 0; j < 4; j++)
        if (t.w[j] > 0) atomicAdd(da + plane + (t.y + (j >> 1)) * w + t.x + (j & 1), own * t.w[j] / t.sum);
  }
}
"""


class Warp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, away, bits, blurred):
        a, away, bits = a.contiguous(), away.contiguous(), bits.contiguous()
        n, c, h, w = a.shape
        y, valid = torch.empty_like(a), torch.empty_like(bits)
        i = np.int32
        launch(module(WARP).get_function('warp_forward'), n * h * w, (a, away, bits, y, valid, i(n), i(c), i(h), i(w), i(blurred)))
        ctx.save_for_backward(a, away, bits)
        ctx.blurred = blurred
        ctx.mark_non_differentiable(valid)
        return y, valid

    @staticmethod
    def backward(ctx, g, _):
        a, away, bits = ctx.saved_tensors
        n, c, h, w = a.shape
        da, g, i = torch.zeros_like(a), g.contiguous(), np.int32
        launch(module(WARP).get_function('warp_backward'), n * h * w, (a, away, bits, g, da, i(n), i(c), i(h), i(w), i(ctx.blurred)))
        return da, None, None, None


def warp_plain(a, away, bits, blurred):
    n, c, h, w = a.shape
    x = away[:, 0] + torch.arange(w, device=a.device)
    y = away[:, 1] + torch.arange(h, device=a.device).view(-1, 1)
    x0, y0 = x.floor(), y.floor()
    ax, ay = x - x0, y - y0
    m = bits.to(torch.int32)

    def at(dx, dy):
        q = ((y0 + dy).clamp(0, h - 1) * w + (x0 + dx).clamp(0, w - 1)).long().flatten(1)
        return torch.gather(a.reshape(n, c, -1), 2, q[:, None].expand(-1, c, -1)).view(n, c, h, w)

    weights, mean = [], 0
    for k in range(4):
        xx, yy = x0 + (k & 1), y0 + (k >> 1)
        ok = ((m >> k) & 1).bool() & (xx >= 0) & (yy >= 0) & (xx < w) & (yy < h)
        weights.append((ax if k & 1 else 1 - ax) * (ay if k & 2 else 1 - ay) * ok)
        mean = mean + at(k & 1, k >> 1) * weights[k][:, None]
    total = sum(weights)
    valid = total > 0.01
    mean = mean / total.clamp(min=1e-6)[:, None] * valid[:, None]
    sharp = (total >= 0.999) & (weights[0] > 0) & (x0 >= 1) & (y0 >= 1) & (x0 + 2 < w) & (y0 + 2 < h)
    cubic = lambda t: (
        t * (-0.5 + t * (1 - 0.5 * t)),
        1 + t * t * (-2.5 + 1.5 * t),
        t * (0.5 + t * (2 - 1.5 * t)),
        t * t * (-0.5 + 0.5 * t),
    )
    value = sum(at(i - 1, j - 1) * (cubic(ax)[i] * cubic(ay)[j])[:, None] for i in range(4) for j in range(4))
    four = torch.stack([at(i, j) for i in range(2) for j in range(2)])
    value = torch.maximum(four.amin(0), torch.minimum(value, four.amax(0)))
    spline = sharp[:, None] & (torch.arange(c, device=a.device) >= blurred).view(1, -1, 1, 1)
    return torch.where(spline, value, mean), valid.to(a.dtype)


def warp(a, away, bits, blurred):
    """a [N,C,H,W] at away [N,2,H,W], pixels to the right and down, where bits [N,H,W] say which of four pixels count -> the same [N,C,H,W],
    0 where none does, and where one does [N,H,W]. The first `blurred` channels are means of those pixels; the others are resampled sharply."""
    return (Warp.apply if a.is_cuda else warp_plain)(a, away, bits, blurred)
