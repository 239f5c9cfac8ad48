package scene

import (
	"errors"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

const (
	// mostLoss bounds how much a way through a matrix and back enlarges rounding: 3 for turns and scales in the mesh's own axes,
	// more for what is stretched after it was turned.
	mostLoss = 32
	// Lengths to which a matrix may take a unit vector. Beyond, squares leave single precision.
	leastScale, mostScale = 1e-12, 1e12
)

// Inverse is the way back from where an instance stands. The error says why rays would not find it.
func Inverse(world mgl32.Mat4) (mgl64.Mat4, error) {
	var col [4]mgl64.Vec3
	for i := range col {
		for k := range 3 {
			col[i][k] = float64(world.At(k, i))
		}
	}
	det := col[0].Dot(col[1].Cross(col[2]))
	if math.IsNaN(det) || math.IsInf(det, 0) || !finite(world[:]) {
		return mgl64.Mat4{}, errors.New("its matrix is not finite")
	}
	if det == 0 || world.Row(3) != (mgl32.Vec4{0, 0, 0, 1}) {
		return mgl64.Mat4{}, errors.New("its matrix is not affine with an inverse")
	}
	rows := [3]mgl64.Vec3{col[1].Cross(col[2]), col[2].Cross(col[0]), col[0].Cross(col[1])}
	for i := range rows {
		rows[i] = rows[i].Mul(1 / det)
		if size := col[i].Len(); !(size >= leastScale && size <= mostScale && rows[i].Len() <= 1/leastScale) {
			return mgl64.Mat4{}, errors.New("its matrix makes the mesh too small or too large for single precision")
		}
	}
	if !(loss(col, rows) <= mostLoss) {
		return mgl64.Mat4{}, errors.New("its matrix stretches the mesh so much that its inverse is inexact")
	}
	return mgl64.Mat4FromRows(rows[0].Vec4(-rows[0].Dot(col[3])), rows[1].Vec4(-rows[1].Dot(col[3])), rows[2].Vec4(-rows[2].Dot(col[3])),
		mgl64.Vec4{0, 0, 0, 1}), nil
}

// loss is how much the terms grow that a vector adds up on the way through the inverse and the matrix, without their signs.
func loss(col [4]mgl64.Vec3, rows [3]mgl64.Vec3) (most float64) {
	for axis := range 3 {
		sum := 0.0
		for k := range rows {
			sum += math.Abs(col[k][axis]) * (math.Abs(rows[k][0]) + math.Abs(rows[k][1]) + math.Abs(rows[k][2]))
		}
		most = math.Max(most, sum)
	}
	return most
}
