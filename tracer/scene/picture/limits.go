package picture

// MaxSide bounds the width and the height of an image: no GPU takes more.
const MaxSide = 16384
