// Makes the .ktx2 files beside it with another implementation's encoder, and .png files of what its decoder makes of them:
//   npm install three@0.187.0 ktx2-encoder@0.6.0 && node make.mjs
import fs from 'node:fs';
import zlib from 'node:zlib';
import { createRequire } from 'node:module';
import { nodeEncoder } from './node_modules/ktx2-encoder/dist/node/NodeBasisEncoder.js';
const require = createRequire(import.meta.url);
fs.copyFileSync('node_modules/three/examples/jsm/libs/basis/basis_transcoder.js', 'basis_transcoder.cjs');
fs.copyFileSync('node_modules/three/examples/jsm/libs/basis/basis_transcoder.wasm', 'basis_transcoder.wasm');
const transcoder = await require('./basis_transcoder.cjs')();
transcoder.initializeBasis();

let state = 7;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

function crc(data) {
  let c = ~0;
  for (const b of data) { c ^= b; for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1; }
  return ~c >>> 0;
}

function png(width, height, rgba) {
  const chunk = (type, data) => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0); out.write(type, 4, 'latin1'); data.copy(out, 8);
    out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0); head.writeUInt32BE(height, 4); head[8] = 8; head[9] = 6;
  const rows = Buffer.alloc((4 * width + 1) * height);
  for (let y = 0; y < height; y++) Buffer.from(rgba.subarray(4 * width * y, 4 * width * (y + 1))).copy(rows, (4 * width + 1) * y + 1);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', zlib.deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

function save(name, data) {
  const file = new transcoder.KTX2File(data);
  if (!file.isValid() || !file.startTranscoding()) throw new Error(`${name} is not taken`);
  const width = file.getWidth(), height = file.getHeight(), rgba32 = 13;
  const out = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, rgba32));
  const done = file.transcodeImage(out, 0, 0, 0, rgba32, 0, -1, -1);
  file.close(); file.delete();
  if (!done) throw new Error(`${name} is not transcoded`);
  fs.writeFileSync(`${name}.ktx2`, data);
  fs.writeFileSync(`${name}.png`, png(width, height, out));
}

async function encode(width, height, color, options) {
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(color(x, y), 4 * (y * width + x));
  return nodeEncoder.encode(new Uint8Array(1), { isKTX2File: true, generateMipmap: false, imageDecoder: async () => ({ width, height, data }), ...options });
}

const smooth = (x, y) => [4 * x, 5 * y, 128 + 60 * Math.sin((x + y) / 5), 255];
const noise = () => [256 * random(), 256 * random(), 256 * random(), 255];
const faded = (x, y) => [8 * x, 255 - 6 * y, 90 + x * y / 20, 255 - 3 * (x + y)];
const checks = (x, y) => (((x >> 2) + (y >> 1)) & 1 ? [250, 20, 30, 255] : [10, 40, 200, (x * 8) & 255]);

for (const [name, color] of Object.entries({ smooth, noise, faded, checks }))
  save(`etc1s-${name}`, await encode(37, 26, color, { isUASTC: false, qualityLevel: 200, compressionLevel: 2, generateMipmap: name == 'smooth' }));
for (const [name, color] of Object.entries({ smooth, faded, checks }))
  save(`uastc-${name}`, await encode(37, 26, color, { isUASTC: true, needSupercompression: name != 'faded', generateMipmap: name == 'smooth' }));

// Blocks of each mode of UASTC with each of its partitions, of random bits otherwise.
const modes = [[1, 4], [0x35, 6], [0x1d, 5], [3, 5], [0x13, 5], [0xb, 5], [0x1b, 5], [7, 5], [0x17, 5], [0xf, 5], [2, 3], [0, 2], [6, 3], [0x1f, 5], [0xd, 5], [5, 7], [0x15, 6], [0x25, 6], [9, 4]];
const partitions = { 2: 30, 3: 11, 4: 30, 7: 19, 9: 30, 16: 30 };
const hints = (mode) => (mode >= 10 && mode <= 12 ? 17 : mode >= 9 && mode <= 17 ? 23 : 15);
const blocks = [];
for (const [mode, [code, bits]] of modes.entries())
  for (let p = 0; p < (partitions[mode] ?? 6); p++) {
    let v = 0n;
    for (let i = 0; i < 16; i++) v = v << 8n | BigInt(Math.floor(256 * random()));
    const set = (at, n, value) => { const mask = (1n << BigInt(n)) - 1n << BigInt(at); v = v & ~mask | BigInt(value) << BigInt(at); };
    set(0, bits, code);
    if (partitions[mode]) set(bits + hints(mode), mode == 3 ? 4 : 5, p);
    // The decoder wants hints that make sense for ETC1, which are all zeros.
    if (mode != 8) set(bits, hints(mode), 0);
    for (let i = 0; i < 16; i++) blocks.push(Number(v >> BigInt(8 * i) & 255n));
  }
const columns = 16, rows = Math.ceil(blocks.length / 16 / columns);
const container = await encode(4 * columns, 4 * rows, noise, { isUASTC: true, needSupercompression: false });
const view = new DataView(container.buffer, container.byteOffset);
container.set(blocks, Number(view.getBigUint64(80, true)));
save('uastc-modes', container);
process.exit(0);
