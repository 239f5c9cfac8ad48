package viewer

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

const (
	maxPitch    = 89 * math.Pi / 180 // rad; at the pole itself the direction to the right is undefined
	unitsAcross = 10                 // units of length to a scene's radius, so that a step suits any scale
	flySpeed    = 3                  // units a second at first
	speedNotch  = 1.25               // factor of one notch of the wheel
	speedRange  = 1000               // slowest and fastest, as a factor of the first speed
	zoomRange   = 1e4                // nearest and farthest, in units
)

// cameraController moves a camera, at a speed that suits the scene.
type cameraController struct {
	camera scene.Camera
	pivot  mgl64.Vec3 // what orbiting and zooming go about: the look-at point, or a point that the user chose
	home   mgl64.Vec3 // the first pivot
	homeAt float32    // where that was at first: right of the window's middle, in heights of the window
	unit   float32    // m: a tenth of the scene's radius
	speed  float32    // of flying, m/s
}

// newCameraController controls a camera in a scene of the given radius (m).
func newCameraController(c scene.Camera, radius float32) cameraController {
	unit := radius / unitsAcross
	if !(unit > 0) || math.IsInf(float64(unit), 0) {
		unit = 1
	}
	return cameraController{camera: c, pivot: c.Target, home: c.Target, unit: unit, speed: flySpeed * unit}
}

// look changes to another camera in the same scene.
func (cc *cameraController) look(c scene.Camera) { cc.frame(c, 0) }

// frame changes to a camera moved sideways, so that what it looks at is right of the window's middle by a number of heights
// of the window: in the middle of what panels leave free.
func (cc *cameraController) frame(c scene.Camera, right float32) {
	if !cc.take(c, c.Target) {
		return
	}
	cc.home, cc.homeAt = c.Target, right
	cc.recentre()
}

// take moves to a camera and a pivot, unless that camera cannot be used: who flies on and on stays at the end of the world.
func (cc *cameraController) take(c scene.Camera, pivot mgl64.Vec3) bool {
	if c.Check() != nil {
		return false
	}
	cc.camera, cc.pivot = c, pivot
	return true
}

// distance from the eye to the look-at point, m; never 0.
func (cc *cameraController) distance() float64 {
	return max(cc.camera.Target.Sub(cc.camera.Eye).Len(), float64(cc.unit)/zoomRange)
}

// angles of the direction of view: yaw to the right of −Z and pitch above the horizon, rad.
func (cc *cameraController) angles() (yaw, pitch float64) {
	f := cc.camera.Target.Sub(cc.camera.Eye)
	if f.LenSqr() == 0 {
		return 0, 0
	}
	f = f.Normalize()
	return math.Atan2(f[0], -f[2]), math.Asin(mgl64.Clamp(f[1], -1, 1))
}

// direction is the unit vector of a yaw and a pitch.
func direction(yaw, pitch float64) mgl64.Vec3 {
	return mgl64.Vec3{
		math.Sin(yaw) * math.Cos(pitch), math.Sin(pitch), -math.Cos(yaw) * math.Cos(pitch),
	}
}

// turned is the direction of view after a turn to the right and up, rad.
func (cc *cameraController) turned(right, up float64) mgl64.Vec3 {
	yaw, pitch := cc.angles()
	return direction(yaw+right, clampPitch(pitch+up))
}

func clampPitch(pitch float64) float64 { return min(max(pitch, -maxPitch), maxPitch) }

// axes are the directions to the right, up and ahead in the image.
func axes(yaw, pitch float64) [3]mgl64.Vec3 {
	return [3]mgl64.Vec3{direction(yaw+math.Pi/2, 0), direction(yaw, pitch+math.Pi/2), direction(yaw, pitch)}
}

// orbit turns the camera about the pivot, so that the scene follows a drag to the right and up (rad). The pivot stays where
// it is in the window.
func (cc *cameraController) orbit(right, up float64) {
	sight := cc.turned(right, up).Mul(cc.distance())
	c := cc.camera
	c.Up = mgl32.Vec3{0, 1, 0}
	if cc.pivot == c.Target {
		c.Eye = cc.pivot.Sub(sight)
		cc.take(c, cc.pivot)
		return
	}
	from := axes(cc.angles())
	yaw, pitch := cc.angles()
	to := axes(yaw+right, clampPitch(pitch+up))
	side := c.Target.Sub(cc.pivot)
	c.Target = cc.pivot
	for i := range from {
		c.Target = c.Target.Add(to[i].Mul(side.Dot(from[i])))
	}
	c.Eye = c.Target.Sub(sight)
	cc.take(c, cc.pivot)
}

// turn turns the view to the right and up, rad.
func (cc *cameraController) turn(right, up float64) {
	sight := cc.turned(right, up).Mul(cc.distance())
	c := cc.camera
	c.Target = c.Eye.Add(sight)
	c.Up = mgl32.Vec3{0, 1, 0}
	cc.take(c, c.Target)
}

// zoom multiplies the distance to the pivot, or the height of a parallel view.
func (cc *cameraController) zoom(factor float32) {
	c := cc.camera
	if c.Orthographic > 0 {
		c.Orthographic = float32(cc.inZoomRange(float64(c.Orthographic * factor)))
		cc.take(c, cc.pivot)
		return
	}
	yaw, pitch := cc.angles()
	distance := cc.inZoomRange(cc.distance() * float64(factor))
	if cc.pivot != c.Target {
		c.Target = cc.pivot.Add(c.Target.Sub(cc.pivot).Mul(distance / cc.distance()))
	}
	c.Eye = c.Target.Sub(direction(yaw, pitch).Mul(distance))
	cc.take(c, cc.pivot)
}

func (cc *cameraController) inZoomRange(length float64) float64 {
	return mgl64.Clamp(length, float64(cc.unit)/zoomRange, float64(cc.unit)*zoomRange)
}

// pan moves eye and pivot in the plane of the image: to the right and up, m.
func (cc *cameraController) pan(right, up float32) {
	to := axes(cc.angles())
	cc.shift(to[0].Mul(float64(right)).Add(to[1].Mul(float64(up))))
}

// slide moves eye and pivot in the ground plane: to the right and ahead, m.
func (cc *cameraController) slide(right, ahead float32) {
	yaw, _ := cc.angles()
	cc.shift(direction(yaw+math.Pi/2, 0).Mul(float64(right)).Add(direction(yaw, 0).Mul(float64(ahead))))
}

// fly moves along the direction of view, to its right, and straight up, m.
func (cc *cameraController) fly(ahead, right, up float32) {
	yaw, pitch := cc.angles()
	cc.shift(direction(yaw, pitch).Mul(float64(ahead)).Add(direction(yaw+math.Pi/2, 0).Mul(float64(right))).Add(mgl64.Vec3{0, float64(up), 0}))
}

// recentre brings the first pivot back to where it was in the window, without turning or zooming.
func (cc *cameraController) recentre() {
	yaw, _ := cc.angles()
	target := cc.home.Sub(direction(yaw+math.Pi/2, 0).Mul(float64(cc.homeAt * cc.viewHeight())))
	if cc.shift(target.Sub(cc.camera.Target)) {
		cc.pivot = cc.home
	}
}

func (cc *cameraController) shift(by mgl64.Vec3) bool {
	c := cc.camera
	c.Eye, c.Target = c.Eye.Add(by), c.Target.Add(by)
	return cc.take(c, cc.pivot.Add(by))
}

// faster changes the speed of flying by notches of the wheel.
func (cc *cameraController) faster(notches float32) {
	first := flySpeed * cc.unit
	speed := cc.speed * float32(math.Pow(speedNotch, float64(notches)))
	cc.speed = mgl32.Clamp(speed, first/speedRange, first*speedRange)
}

// viewHeight is how much of the scene the window's height shows at the look-at point, m.
func (cc *cameraController) viewHeight() float32 {
	if cc.camera.Orthographic > 0 {
		return 2 * cc.camera.Orthographic
	}
	return float32(2 * cc.distance() * math.Tan(mgl64.DegToRad(float64(cc.camera.VFov))/2))
}
