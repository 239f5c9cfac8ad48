package cuda

import (
	_ "embed"
	"encoding/binary"
	"math"
)

// albedo holds the directional albedos that kernel albedo_table made, float32 little endian.
//
//go:embed albedo_gen.bin
var albedo string

// Tables is the content of Frame.Scene.Tables (core/tables.cuh): sRGB decoding, then directional albedos.
func Tables() []byte {
	tables := make([]byte, 0, 4*256+len(albedo))
	for i := range 256 {
		tables = binary.LittleEndian.AppendUint32(tables, math.Float32bits(float32(SRGBDecode(float64(i)/255))))
	}
	return append(tables, albedo...)
}

// SRGBDecode is the inverse of the sRGB transfer function (IEC 61966-2-1) for an encoded value 0…1.
func SRGBDecode(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}
