"""Compares the kernels of passes.py with plain PyTorch, values and gradients, on a GPU: prints the largest differences over the largest
value. They should be below 1e-5."""

import torch

import model as M
import passes as P


def apart(a, b):
    return ((a - b).abs().max() / b.abs().max()).item()


def compare(name, kernel, plain, tensors):
    """Both get copies of the tensors, and pass on the same gradient."""
    copies = [[t.clone().requires_grad_() for t in tensors] for _ in range(2)]
    a, b = kernel(*copies[0]), plain(*copies[1])
    gradient = torch.randn_like(b)
    a.backward(gradient), b.backward(gradient)
    print(name, f'{apart(a, b):.1e}, gradients', *(f'{apart(x.grad, y.grad):.1e}' for x, y in zip(*copies)))


def main():
    torch.manual_seed(0)
    n, h, w = 2, 40, 50
    rand = lambda *shape: torch.rand(n, *shape, device='cuda')
    features, scale, trust, light = 0.3 * torch.randn(n, h, w, M.FEATURES, device='cuda'), rand(h, w), rand(h, w), rand(h, w, 3)
    for reach, step in M.PASSES:
        compare(
            f'pass {reach} {step}:',
            lambda *t: P.Pass.apply(*t, reach, step),
            lambda *t: P.pass_plain(*t, reach, step),
            [features, scale, trust, light],
        )
    away = 2 * torch.randn(n, 2, h, w, device='cuda')
    away[:, :, :10] = away[:, :, :10].round()  # as of views that rest
    bits = torch.where(rand(h, w) < 0.7, 15.0, torch.randint(0, 16, (n, h, w), device='cuda').float())
    compare('warp:', lambda a: P.Warp.apply(a, away, bits, 4)[0], lambda a: P.warp_plain(a, away, bits, 4)[0], [rand(10, h, w)])


if __name__ == '__main__':
    main()
