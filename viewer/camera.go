package viewer

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

const (
	maxPitch    = 89 * math.Pi / 180 // rad; at the pole itself there is no way to tell which way is right
	unitsAcross = 10                 // units of length to a scene's radius, so that a step suits any scale
	flySpeed    = 3                  // units a second at first
	speedNotch  = 1.25               // factor of one notch of the wheel
	speedRange  = 1000               // slowest and fastest, as a factor of the first speed
	zoomRange   = 1e4                // nearest and farthest, in units
)

// rig is a camera that is moved about, and what it needs to know of the scene to move well.
type rig struct {
	camera scene.Camera
	home   mgl32.Vec3 // the first look-at point
	unit   float32    // m: a tenth of the scene's radius
	speed  float32    // of flying, m/s
}

// newRig puts a camera into a scene of the given radius (m).
func newRig(c scene.Camera, radius float32) rig {
	unit := radius / unitsAcross
	if !(unit > 0) || math.IsInf(float64(unit), 0) {
		unit = 1
	}
	return rig{camera: c, home: c.Target, unit: unit, speed: flySpeed * unit}
}

// look takes another camera in the same scene.
func (r *rig) look(c scene.Camera) {
	r.camera = c
	r.home = c.Target
}

// distance from the eye to the look-at point, m; never 0.
func (r *rig) distance() float32 {
	return max(r.camera.Target.Sub(r.camera.Eye).Len(), r.unit/zoomRange)
}

// angles of the line of sight: yaw to the right of −Z and pitch above the horizon, rad.
func (r *rig) angles() (yaw, pitch float64) {
	f := r.camera.Target.Sub(r.camera.Eye)
	if f.LenSqr() == 0 {
		return 0, 0
	}
	f = f.Normalize()
	return math.Atan2(float64(f[0]), -float64(f[2])), math.Asin(float64(mgl32.Clamp(f[1], -1, 1)))
}

// direction is the unit vector of a yaw and a pitch.
func direction(yaw, pitch float64) mgl32.Vec3 {
	return mgl32.Vec3{
		float32(math.Sin(yaw) * math.Cos(pitch)), float32(math.Sin(pitch)), float32(-math.Cos(yaw) * math.Cos(pitch)),
	}
}

// turned is the line of sight after a turn to the right and up, rad.
func (r *rig) turned(right, up float64) mgl32.Vec3 {
	yaw, pitch := r.angles()
	return direction(yaw+right, min(max(pitch+up, -maxPitch), maxPitch))
}

// orbit turns the camera about the look-at point, so that the scene follows a drag to the right and up (rad).
func (r *rig) orbit(right, up float64) {
	sight := r.turned(right, up).Mul(r.distance())
	r.camera.Eye = r.camera.Target.Sub(sight)
	r.camera.Up = mgl32.Vec3{0, 1, 0}
}

// turn looks to the right and up from where the eye is, rad.
func (r *rig) turn(right, up float64) {
	sight := r.turned(right, up).Mul(r.distance())
	r.camera.Target = r.camera.Eye.Add(sight)
	r.camera.Up = mgl32.Vec3{0, 1, 0}
}

// zoom multiplies the distance to the look-at point, or the height of a parallel view.
func (r *rig) zoom(factor float32) {
	if r.camera.Orthographic > 0 {
		r.camera.Orthographic = r.inZoomRange(r.camera.Orthographic * factor)
		return
	}
	yaw, pitch := r.angles()
	r.camera.Eye = r.camera.Target.Sub(direction(yaw, pitch).Mul(r.inZoomRange(r.distance() * factor)))
}

func (r *rig) inZoomRange(length float32) float32 {
	return mgl32.Clamp(length, r.unit/zoomRange, r.unit*zoomRange)
}

// pan moves the look-at point, and the eye with it, in the ground plane: to the right and ahead, m.
func (r *rig) pan(right, ahead float32) {
	yaw, _ := r.angles()
	r.shift(direction(yaw+math.Pi/2, 0).Mul(right).Add(direction(yaw, 0).Mul(ahead)))
}

// fly moves along the line of sight, to its right, and straight up, m.
func (r *rig) fly(ahead, right, up float32) {
	yaw, pitch := r.angles()
	r.shift(direction(yaw, pitch).Mul(ahead).Add(direction(yaw+math.Pi/2, 0).Mul(right)).Add(mgl32.Vec3{0, up, 0}))
}

// recentre brings the first look-at point back, without turning or zooming.
func (r *rig) recentre() { r.shift(r.home.Sub(r.camera.Target)) }

func (r *rig) shift(by mgl32.Vec3) {
	r.camera.Eye = r.camera.Eye.Add(by)
	r.camera.Target = r.camera.Target.Add(by)
}

// faster changes the speed of flying by notches of the wheel.
func (r *rig) faster(notches float32) {
	first := flySpeed * r.unit
	speed := r.speed * float32(math.Pow(speedNotch, float64(notches)))
	r.speed = mgl32.Clamp(speed, first/speedRange, first*speedRange)
}

// viewHeight is how much of the scene the window's height shows at the look-at point, m.
func (r *rig) viewHeight() float32 {
	if r.camera.Orthographic > 0 {
		return 2 * r.camera.Orthographic
	}
	return 2 * r.distance() * float32(math.Tan(float64(mgl32.DegToRad(r.camera.VFov))/2))
}
