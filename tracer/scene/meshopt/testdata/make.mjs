// Makes streams.json with another implementation's encoder, and what its decoder makes of it:
//   npm install meshoptimizer@1.3.0 && node make.mjs > streams.json
import { createHash } from 'node:crypto';
import { MeshoptDecoder as decoder, MeshoptEncoder as encoder } from 'meshoptimizer';
await decoder.ready; await encoder.ready;

let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const streams = [];

function add(name, mode, filter, count, stride, data) {
  const decoded = new Uint8Array(count * stride);
  decoder.decodeGltfBuffer(decoded, count, stride, data, mode, filter);
  streams.push({
    name, mode, filter, count, stride, data: Buffer.from(data).toString('base64'),
    // Filters may differ in the last bit.
    ...(filter == 'NONE' ? { sha256: createHash('sha256').update(decoded).digest('hex') } : { values: Buffer.from(decoded).toString('base64') }),
  });
}

// Attributes: smooth, noisy, constant and mixed bytes, whole and partial blocks and groups.
const kinds = {
  smooth: (i, k) => (i * (k + 1)) & 255,
  slow: (i, k) => (i >> (k % 5)) & 255,
  noise: () => Math.floor(random() * 256),
  small: () => Math.floor(random() * 3),
  spikes: (i) => (random() < 0.1 ? Math.floor(random() * 256) : i & 3),
  constant: (i, k) => k,
  mixed: (i, k) => [i & 255, Math.floor(random() * 256), 7, Math.floor(random() * 8), random() < 0.2 ? 200 : 1, (i * i) & 255, i >> 4, 0][k % 8],
};
for (const version of [0, 1])
  for (const [kind, value] of Object.entries(kinds))
    for (const [count, stride] of [[1, 4], [17, 8], [270, 4], [33, 256]]) {
      if (stride == 256 && !kind != 'slow') continue;
      const raw = new Uint8Array(count * stride);
      for (let i = 0; i < raw.length; i++) raw[i] = value(Math.floor(i / stride), i % stride);
      add(`${kind} v${version}`, 'ATTRIBUTES', 'NONE', count, stride, encoder.encodeVertexBufferLevel(raw, count, stride, 3, version));
    }
// Values whose differences have two or four bytes: other channel modes of version 1.
for (const level of [2, 3]) {
  const words = new Uint16Array(4 * 60).map((_, i) => 1000 * Math.sin(i / 100) + 300 * (i % 4) + random() * 300);
  add('words', 'ATTRIBUTES', 'NONE', 60, 8, encoder.encodeVertexBufferLevel(new Uint8Array(words.buffer), 60, 8, level, 1));
  const floats = new Float32Array(3 * 60).map((_, i) => Math.sin(i / 50) + (i % 3));
  add('floats', 'ATTRIBUTES', 'NONE', 60, 12, encoder.encodeVertexBufferLevel(new Uint8Array(floats.buffer), 60, 12, level, 1));
  const packed = new Uint32Array(60).map(() => random() * 2 ** 30 << 2);
  add('packed', 'ATTRIBUTES', 'NONE', 60, 4, encoder.encodeVertexBufferLevel(new Uint8Array(packed.buffer), 60, 4, level, 1));
}
// Filters.
const vectors = new Float32Array(4 * 40), turns = new Float32Array(4 * 40), colors = new Float32Array(4 * 40);
for (let i = 0; i < 40; i++) {
  const unit = (n) => { const v = Array.from({ length: n }, () => 2 * random() - 1), l = Math.hypot(...v); return v.map((x) => x / l); };
  vectors.set([...unit(3), i % 2 ? 1 : -1], 4 * i);
  turns.set(unit(4), 4 * i);
  colors.set([random(), random(), random(), random()], 4 * i);
}
vectors.set([0, 0, -1, 1, 1, 0, 0, 1, 0, -1, 0, 1], 0);
colors.set([0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1], 0);
const plain = (raw, stride) => encoder.encodeVertexBufferLevel(raw, 40, stride, 2, 1);
for (const [stride, bits] of [[4, 8], [4, 6], [8, 16], [8, 12]]) {
  add(`octahedral ${bits}`, 'ATTRIBUTES', 'OCTAHEDRAL', 40, stride, plain(encoder.encodeFilterOct(vectors, 40, stride, bits), stride));
  add(`color ${bits}`, 'ATTRIBUTES', 'COLOR', 40, stride, plain(encoder.encodeFilterColor(colors, 40, stride, bits), stride));
}
for (const bits of [16, 12, 4]) add(`quaternion ${bits}`, 'ATTRIBUTES', 'QUATERNION', 40, 8, plain(encoder.encodeFilterQuat(turns, 40, 8, bits), 8));
for (const bits of [24, 15, 3]) add(`exponential ${bits}`, 'ATTRIBUTES', 'EXPONENTIAL', 40, 16, plain(encoder.encodeFilterExp(turns.map((v, i) => v * 10 ** (i % 20 - 10)), 40, 16, bits), 16));

// Indices of a grid, in order and shuffled, and restarted.
const grid = [];
const side = 8;
for (let y = 0; y < side; y++)
  for (let x = 0; x < side; x++) {
    const a = y * (side + 1) + x, b = a + side + 1;
    grid.push(a, b, a + 1, a + 1, b, b + 1);
  }
const shuffled = grid.map((v, i) => grid[(3 * (Math.floor(i / 3) * 37 % (grid.length / 3)) + i % 3)]);
const far = grid.map((v, i) => (v * 1299709 + i) % 65000);
for (const [name, list] of Object.entries({ grid, shuffled, far, twice: [...grid.slice(0, 60), ...grid.slice(0, 60)] }))
  for (const stride of [2, 4]) {
    const indices = stride == 2 ? new Uint16Array(list) : new Uint32Array(list);
    const raw = new Uint8Array(indices.buffer);
    add(name, 'TRIANGLES', 'NONE', list.length, stride, encoder.encodeIndexBuffer(raw, list.length, stride));
    add(name, 'INDICES', 'NONE', list.length, stride, encoder.encodeIndexSequence(raw, list.length, stride));
  }
console.log('[\n' + streams.map((s) => JSON.stringify(s)).join(',\n') + '\n]');
