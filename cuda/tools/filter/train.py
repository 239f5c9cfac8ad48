"""Trains the filter: train.py DATA OUT --seconds S [--resume OUT/net.pt]. DATA is a folder of `glint training-data` (data.sh). OUT gets
net.pt, from which training can go on; learned.tza, the weights as glint reads them; and pictures of the tests."""

import argparse
import itertools
import json
import math
import os
import struct
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

import model as M
from flip import Flip

device = 'cuda' if torch.cuda.is_available() else 'cpu'


class Sequence:
    """A rendered sequence: data [frames, planes, height, width], halves."""

    def __init__(self, folder, line):
        self.__dict__.update(line)
        values = np.fromfile(os.path.join(folder, self.file), dtype=np.float16)
        self.data = torch.from_numpy(values.reshape(len(self.frames), self.planes, self.height, self.width)).to(device)
        self.resting = [i for i, f in enumerate(self.frames) if i > 0 and f['past'] < i - 1]
        self.moving = len(self.frames) - len(self.resting)
        self.targets = [i for i, f in enumerate(self.frames) if f['target']]
        seen = M.luminance(self.data[self.targets, M.REFERENCE : M.REFERENCE + 3].float())
        self.exposure = 0.18 / torch.log(seen.clamp(1e-4, 1e4)).mean().exp().item()
        self.shared = float(self.integrator != 'path')
        self.weights = {i: self.weight(self.data[i : i + 1].float() * self.exposure) for i in self.targets}
        if not self.test:
            self.data = self.data[:, : M.SHOWN].contiguous()

    @torch.no_grad()
    def weight(self, frame):
        """How much an error counts in a frame: more where the built-in filter has little, since it is to be lower everywhere."""
        shown, reference = (tone(frame[:, p : p + 3]) for p in (M.SHOWN, M.REFERENCE))
        return 0.07 / (flip(shown, reference).mean().item() + 0.01)


def load(folder):
    """Reads as many sequences as the device has room for, and leaves room to work."""
    begun, sequences = time.time(), []
    with open(os.path.join(folder, 'index.jsonl')) as index, ThreadPoolExecutor(4) as pool:
        free = torch.cuda.mem_get_info()[0] if device == 'cuda' else 1e12
        room = free - min(40e9, free / 2)
        lines = [json.loads(line) for line in index]
        kept = []
        for line in lines:
            room -= os.path.getsize(os.path.join(folder, line['file'])) * (1 if line['test'] else M.SHOWN / line['planes'])
            if room > 0:
                kept.append(line)
        sequences = list(pool.map(lambda line: Sequence(folder, line), kept))
    frames = sum(len(s.frames) for s in sequences)
    print(f'{len(sequences)} sequences of {len(lines)}, {frames} frames, read in {time.time() - begun:.0f} s', flush=True)
    return sequences


# --- What is shown, and how wrong it is ---


def tone(x):
    """Display light of x, of which 0.18 is middle grey (Narkowicz's fit of ACES)."""
    x = x.clamp(min=0)
    return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)


def srgb(x):
    return torch.where(x <= 0.0031308, 12.92 * x, 1.055 * x.clamp(min=0.0031308) ** (1 / 2.4) - 0.055)


flip = Flip(device)


def error(picture, reference):
    """FLIP of each picture and its mean difference, as shown, and that difference."""
    a, b = tone(picture), tone(reference)
    apart = srgb(a) - srgb(b)
    return flip(a, b).mean((1, 2)) + apart.abs().mean((1, 2, 3)), apart


# --- Batches ---


orders = [torch.tensor(o, device=device) for o in itertools.permutations(range(3))]  # of colours


def mirrored(record):
    """Changes left and right in frames [..., planes, height, width]."""
    record = record.flip(-1)
    plane = lambda p: record[..., p, :, :]
    plane(M.NORMAL).neg_()
    for p in (M.SURFACE, M.SECOND):
        plane(p).neg_().sub_(1e-4)  # so that of two pixels the same one counts where the other has no weight
        bits = plane(p + 2).to(torch.uint8)
        plane(p + 2).copy_((bits & 5) * 2 + (bits & 10) // 2)
    return record


def transposed(record):
    """Changes right and down in frames [..., planes, height, width]."""
    record = record.transpose(-1, -2).contiguous()
    plane = lambda p: record[..., p, :, :]
    right = plane(M.NORMAL).clone()
    plane(M.NORMAL).copy_(-plane(M.NORMAL + 1))  # up is against down
    plane(M.NORMAL + 1).copy_(-right)
    for p in (M.SURFACE, M.SECOND):
        right = plane(p).clone()
        plane(p).copy_(plane(p + 1))
        plane(p + 1).copy_(right)
        bits = plane(p + 2).to(torch.uint8)
        plane(p + 2).copy_((bits & 9) + (bits & 2) * 2 + (bits & 4) // 2)
    return record


def turned(record, kind):
    """One of the eight ways to mirror and turn frames."""
    if kind & 1:
        record = mirrored(record)
    if kind & 2:
        record = transposed(mirrored(transposed(record)))
    return transposed(record) if kind & 4 else record


class Batch:
    """Crops of frames that follow each other: record [frames, B, planes, side, side], and what is known of them."""

    def __init__(self, args, pool, count, frames, random):
        """frames(sequence) lists which to take; all lists are equally long, and have targets at the same places."""
        records, samples, about, weights = [], [], [], []
        for _ in range(count):
            s = pool[random.integers(len(pool))]
            chosen = frames(s)
            x, y = random.integers(s.width - args.crop + 1), random.integers(s.height - args.crop + 1)
            crop = torch.stack([s.data[i, :, y : y + args.crop, x : x + args.crop] for i in chosen])
            order = orders[random.integers(6)]
            for p in (M.LIGHT, M.EMISSION, M.ALBEDO, M.REFERENCE):
                crop[:, p : p + 3] = crop[:, p : p + 3][:, order]
            records.append(crop)
            samples.append([float(s.frames[i]['samples']) for i in chosen])
            about.append([s.exposure * 2 ** random.uniform(-1.5, 1.5), s.shared, math.log2(s.focus) + random.uniform(-1, 1)])
            weights.append([s.weights.get(i, 0) for i in chosen])
        self.record = turned(torch.stack(records, 1).float(), random.integers(8)).contiguous()
        self.samples, self.weights = torch.tensor(samples, device=device).T, torch.tensor(weights, device=device).T
        self.about = torch.tensor(about, device=device).T  # exposure, shared, focus
        self.targets = [i for i, f in enumerate(chosen) if s.frames[f]['target']]

    def tensors(self):
        return self.record, self.samples, self.weights, self.about


def draw(args, moving, resting, random):
    """A batch of moving frames, of one that rests after some, or of frames without a past."""
    kind = random.random()
    if kind < 0.65 or not resting:
        return Batch(args, moving, args.batch, lambda s: list(range(s.moving)), random)
    if kind < 0.82:
        return Batch(args, resting, args.batch, lambda s: [s.moving - 3, s.moving - 2, s.resting[random.integers(len(s.resting))]], random)
    return Batch(args, resting, 3 * args.batch, lambda s: [s.targets[random.integers(len(s.targets))]], random)


# --- Training ---


def loss_of(net, batch):
    exposure, shared, focus = batch.about
    state, pictures, targets = None, [], batch.targets
    for record, samples in zip(batch.record, batch.samples):
        picture, state, shares = M.step(net, record[:, : M.PLANES], exposure, samples, shared, focus, state)
        pictures.append(picture)
    pick = lambda values: torch.cat([values[i] for i in targets])
    wrong, apart = error(pick(pictures), pick(batch.record[:, :, M.REFERENCE : M.REFERENCE + 3] * exposure.view(-1, 1, 1, 1)))
    loss = (wrong * pick(batch.weights)).mean()
    apart = apart.view(len(targets), -1, *apart.shape[1:])
    for a, b in zip(range(len(targets)), range(1, len(targets))):
        if targets[b] == targets[a] + 1:  # flicker
            changes = (apart[b] - apart[a]).abs().mean((1, 2, 3))
            loss = loss + 0.5 / len(targets) * (changes * batch.weights[targets[b]]).mean()
    return loss, shares


class Gradients:
    """Leaves a batch's gradients in a net's parameters. On a GPU each shape of batches has a graph of kernels: started one by one, thousands of
    small ones take longer to start than to run."""

    def __init__(self, net, graphed):
        self.net, self.graphs, self.graphed = net, {}, graphed
        for p in net.parameters():
            p.grad = torch.zeros_like(p)

    def eager(self, batch):
        torch._foreach_zero_([p.grad for p in self.net.parameters()])
        loss, shares = loss_of(self.net, batch)
        loss.backward()
        return loss.detach(), torch.stack([s.mean() for s in shares]).detach()

    def capture(self, batch):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.eager(batch)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = self.eager(batch)
        return graph, batch, result

    def __call__(self, batch):
        """Loss, and the mean shares of the past."""
        if not self.graphed:
            return self.eager(batch)
        shape = (batch.record.shape, *batch.targets)
        if shape not in self.graphs:
            self.graphs[shape] = self.capture(batch)
        graph, fixed, result = self.graphs[shape]
        if fixed is not batch:
            for a, b in zip(fixed.tensors(), batch.tensors()):
                a.copy_(b)
        graph.replay()
        return result


@torch.no_grad()
def evaluate(net, tests, show=None):
    """FLIP and flicker over those of raw samples and of what is shown now, by sequence and frame."""
    rows = {}
    for s in tests:
        states, before = [], None
        known = [torch.tensor([v], device=device) for v in (s.exposure, s.shared, math.log2(s.focus))]
        for i, f in enumerate(s.frames):
            record = s.data[i : i + 1, :, : s.height // 8 * 8, : s.width // 8 * 8].float()
            past = states[f['past']] if f['past'] >= 0 else None
            picture, state, _ = M.step(
                net, record[:, : M.PLANES], known[0], torch.tensor([float(f['samples'])], device=device), *known[1:], past
            )
            states.append(state)
            if not f['target'] or i < s.moving - 2:
                continue
            planes = lambda p: record[:, p : p + 3] * s.exposure
            reference = planes(M.REFERENCE)
            pictures = [planes(M.LIGHT) * record[:, M.ALBEDO : M.ALBEDO + 3] + planes(M.EMISSION), planes(M.SHOWN), picture]
            apart = [error(p, reference)[1] for p in pictures]
            row = [flip(tone(p), tone(reference)).mean().item() for p in pictures]
            row += [(a - b).abs().mean().item() for a, b in zip(apart, before)] if before and i < s.moving else [0, 0, 0]
            before = apart
            if i >= s.moving - 1:
                rows[(s.scene, s.integrator, f['samples'], 'rest' if i >= s.moving else 'move')] = row
                if show:
                    show(s, f, [*pictures, reference])
    return rows


def geometric(values):
    return math.exp(sum(math.log(max(v, 1e-6)) for v in values) / max(len(values), 1))


def summary(rows):
    for kind in ('move', 'rest'):
        of = [r for k, r in rows.items() if k[3] == kind]
        if of:
            print(
                f'  {kind}: FLIP {geometric([r[2] / r[1] for r in of]):.3f} of what is shown now, {geometric([r[2] / r[0] for r in of]):.3f} of raw'
                f' (worst {max(r[2] / r[0] for r in of):.2f}), flicker {geometric([r[5] / r[4] for r in of if r[4] > 0]):.3f}',
                flush=True,
            )


def export(net, path):
    """Writes the weights as a tensor archive of halves (tracer/denoise/net/tza.go)."""
    blob, rows = bytearray(struct.pack('<BBBBQ', 0xD7, 0x41, 2, 0, 0)), []
    for name, t in net.state_dict().items():
        blob += bytes(-len(blob) % 64)
        rows.append((name.encode(), tuple(t.shape), len(blob)))
        blob += t.cpu().to(torch.float16).contiguous().numpy().astype('<f2').tobytes()
    blob += bytes(-len(blob) % 64)
    blob[4:12] = struct.pack('<Q', len(blob))
    blob += struct.pack('<I', len(rows))
    for name, dims, at in rows:
        blob += struct.pack('<H', len(name)) + name + struct.pack(f'<B{len(dims)}I', len(dims), *dims)
        blob += (b'oihw' if len(dims) == 4 else b'x') + b'h' + struct.pack('<Q', at)
    with open(path, 'wb') as out:
        out.write(blob)


def show_in(folder):
    """Writes sheets: raw and what is shown now above, filtered and reference below."""
    from PIL import Image

    os.makedirs(folder, exist_ok=True)
    shown = lambda x: srgb(tone(x))[0].clamp(0, 1).permute(1, 2, 0).cpu().numpy()

    def show(s, f, pictures):
        a, b, c, d = map(shown, pictures)
        sheet = np.concatenate([np.concatenate([a, b], 1), np.concatenate([c, d], 1)], 0)
        name = f'{os.path.basename(s.scene)}-{s.integrator}-{f["samples"]}.jpg'
        Image.fromarray((sheet * 255 + 0.5).astype(np.uint8)).save(os.path.join(folder, name), quality=88)

    return show


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--seconds', type=float, required=True, help='for this call')
    parser.add_argument('--horizon', type=float, help='for all calls: the learning rate falls over it')
    first = parser.add_mutually_exclusive_group()
    first.add_argument('--resume', help='net.pt of a call to go on from')
    first.add_argument('--begin', help='net.pt whose weights are the first ones')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--batch', type=int, default=16)
    parser.add_argument('--crop', type=int, default=192)
    parser.add_argument('--eager', action='store_true', help='without graphs of kernels: slower')
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(args.seed)
    sequences = load(args.data)
    tests, train = [s for s in sequences if s.test], [s for s in sequences if not s.test]
    if not train:
        raise SystemExit('no sequence to learn from: give data.sh more time (SECONDS_LEFT), or use a GPU with more memory')
    resting = [s for s in train if s.resting]
    nets = [M.Net().to(device).to(memory_format=torch.channels_last) for _ in range(2)]
    net, mean = nets  # mean: of the last thousand steps or so
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-4, betas=(0.9, 0.98), fused=device == 'cuda')
    steps, spent = 0, 0.0
    if args.resume:
        kept = torch.load(args.resume, map_location=device)
        net.load_state_dict(kept['net']), mean.load_state_dict(kept['mean']), optimizer.load_state_dict(kept['optimizer'])
        steps, spent = kept['steps'], kept['seconds']
    else:
        if args.begin:
            net.load_state_dict(torch.load(args.begin, map_location=device)['mean'])
        mean.load_state_dict(net.state_dict())
    random = np.random.default_rng(args.seed + steps)
    horizon = args.horizon or spent + args.seconds
    parameters, gradients = list(net.parameters()), Gradients(net, device == 'cuda' and not args.eager)
    if args.begin:
        summary(evaluate(mean, tests))
    begun = told = time.time()
    losses, passed, since = torch.zeros((), device=device), 0.0, steps
    while passed < args.seconds:
        rate = args.rate * min(1, (steps + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * min((spent + passed) / horizon, 1))) + 1e-6
        for group in optimizer.param_groups:
            group['lr'] = rate
        loss, shares = gradients(draw(args, train, resting, random))
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        with torch.no_grad():
            for p in parameters:
                p.grad.nan_to_num_(0)
            optimizer.step()
            torch._foreach_lerp_(list(mean.parameters()), parameters, 1 - min(0.999, (steps + 1) / (steps + 10)))
            losses += loss
        steps += 1
        if steps % 16 == 0 and device == 'cuda':
            torch.cuda.synchronize()  # time is of work done, not of work queued
        passed = time.time() - begun
        if time.time() - told > 30:
            told = time.time()
            print(
                f'{spent + passed:.0f} s, step {steps}: loss {losses.item() / (steps - since):.4f}, rate {rate:.1e}, shares '
                + ' '.join(f'{s:.2f}' for s in shares.tolist()),
                flush=True,
            )
            losses.zero_()
            since = steps
            if int(passed / 90) != int((passed - 30) / 90):
                summary(evaluate(mean, tests))
    torch.save(
        dict(net=net.state_dict(), mean=mean.state_dict(), optimizer=optimizer.state_dict(), steps=steps, seconds=spent + passed),
        os.path.join(args.out, 'net.pt'),
    )
    export(mean, os.path.join(args.out, 'learned.tza'))
    rows = evaluate(mean, tests, show_in(os.path.join(args.out, 'sheets')))
    for key, r in sorted(rows.items()):
        print(*key, ' '.join(f'{v:.4f}' for v in r), f'{r[2] / r[1]:.2f} of what is shown now, {r[2] / r[0]:.2f} of raw')
    summary(rows)


if __name__ == '__main__':
    main()
