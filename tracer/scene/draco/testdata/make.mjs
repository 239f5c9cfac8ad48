// Makes meshes.json with Draco's own encoder and decoder, compiled to WebAssembly:
//   npm install draco3d@1.5.9 && node make.mjs > meshes.json
import { createHash } from 'node:crypto';
import draco from 'draco3d';
const encoders = await draco.createEncoderModule({}), decoders = await draco.createDecoderModule({});

// A bent grid.
const side = 9, count = side * side;
const position = new Float32Array(3 * count), normal = new Float32Array(3 * count), uv = new Float32Array(2 * count);
const color = new Uint8Array(4 * count), joints = new Uint16Array(4 * count);
for (let i = 0; i < count; i++) {
  const x = i % side, y = Math.floor(i / side);
  position.set([x, y, Math.sin(x + y / 2)], 3 * i);
  const n = [-Math.cos(x + y / 2), -Math.cos(x + y / 2) / 2, 1], l = Math.hypot(...n);
  normal.set(n.map((v) => v / l), 3 * i);
  uv.set([x / (side - 1), y / (side - 1)], 2 * i);
  color.set([25 * x, 25 * y, 7 * i, 255 - i], 4 * i);
  joints.set([x, y, 300 + i, 0], 4 * i);
}
const faces = [];
for (let y = 0; y + 1 < side; y++)
  for (let x = 0; x + 1 < side; x++) {
    const a = y * side + x;
    faces.push(a, a + 1, a + side, a + side, a + 1, a + side + 1);
  }

const out = [];
for (const [name, method] of [['sequential', encoders.MESH_SEQUENTIAL_ENCODING], ['edgebreaker', encoders.MESH_EDGEBREAKER_ENCODING]])
  for (const speed of [0, 5, 10]) {
    const builder = new encoders.MeshBuilder(), mesh = new encoders.Mesh(), encoder = new encoders.Encoder();
    builder.AddFacesToMesh(mesh, faces.length / 3, new Uint32Array(faces));
    const ids = [
      builder.AddFloatAttributeToMesh(mesh, encoders.POSITION, count, 3, position),
      builder.AddFloatAttributeToMesh(mesh, encoders.NORMAL, count, 3, normal),
      builder.AddFloatAttributeToMesh(mesh, encoders.TEX_COORD, count, 2, uv),
      builder.AddUInt8Attribute(mesh, encoders.COLOR, count, 4, color),
      builder.AddUInt16Attribute(mesh, encoders.GENERIC, count, 4, joints),
    ];
    encoder.SetTrackEncodedProperties?.(true);
    encoder.SetSpeedOptions(speed, speed);
    encoder.SetEncodingMethod(method);
    encoder.SetAttributeQuantization(encoders.POSITION, 12);
    encoder.SetAttributeQuantization(encoders.NORMAL, 8);
    encoder.SetAttributeQuantization(encoders.TEX_COORD, 10);
    const array = new encoders.DracoInt8Array();
    const size = encoder.EncodeMeshToDracoBuffer(mesh, array);
    const data = new Int8Array(size).map((_, i) => array.GetValue(i));

    const decoder = new decoders.Decoder(), buffer = new decoders.DecoderBuffer(), decoded = new decoders.Mesh();
    buffer.Init(data, size);
    if (!decoder.DecodeBufferToMesh(buffer, decoded).ok()) throw new Error(name);
    const vertices = decoded.num_points(), triangles = decoded.num_faces();
    const hash = (bytes) => createHash('sha256').update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).digest('hex');
    const read = (bytes, get) => {
      const p = decoders._malloc(bytes);
      get(p);
      const copy = new Uint8Array(decoders.HEAPU8.buffer, p, bytes).slice();
      decoders._free(p);
      return copy;
    };
    const indices = read(12 * triangles, (p) => decoder.GetTrianglesUInt32Array(decoded, 12 * triangles, p));
    const attributes = ids.map((id, i) => {
      const [component, type, bytes] = i < 3 ? [5126, decoders.DT_FLOAT32, 4] : i == 3 ? [5121, decoders.DT_UINT8, 1] : [5123, decoders.DT_UINT16, 2];
      const attribute = decoder.GetAttributeByUniqueId(decoded, id), components = attribute.num_components();
      const all = vertices * components * bytes;
      return { id, component, components, sha256: hash(read(all, (p) => decoder.GetAttributeDataArrayForAllPoints(decoded, attribute, type, all, p))) };
    });
    out.push({ name: `${name} ${speed}`, data: Buffer.from(data).toString('base64'), vertices, triangles, indices: hash(indices), attributes });
  }
console.log('[\n' + out.map((m) => JSON.stringify(m)).join(',\n') + '\n]');
