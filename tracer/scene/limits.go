package scene

// maxJSON bounds the memory that the parsed JSON of a file may take, estimated before parsing, bytes: far above every scene.
const maxJSON = 1 << 30

// maxSide bounds the width and the height of an image: no GPU takes more.
const maxSide = 16384
