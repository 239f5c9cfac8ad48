package session

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

// How the camera moves.
const (
	maxPitch    = 89 * math.Pi / 180 // rad; at the pole itself the direction to the right is undefined
	unitsAcross = 10                 // units of length to a scene's radius, so that a step suits any scale
	flySpeed    = 3                  // units a second at first
	SpeedNotch  = 1.25               // factor of one notch of the wheel
	speedRange  = 1000               // slowest and fastest, as a factor of the first speed
	zoomRange   = 1e4                // nearest and farthest, in units
)

// Camera moves a camera, at a speed that suits the scene.
type Camera struct {
	Camera scene.Camera
	Pivot  mgl64.Vec3 // what orbiting and zooming go about: the look-at point, or a point that the user chose
	home   mgl64.Vec3 // the first pivot
	homeAt float32    // where that was at first: right of the window's middle, in heights of the window
	Unit   float32    // m: a tenth of the scene's radius
	Speed  float32    // of flying, m/s
}

// NewCamera controls a camera in a scene of the given radius (m).
func NewCamera(c scene.Camera, radius float32) Camera {
	unit := radius / unitsAcross
	if !(unit > 0) || math.IsInf(float64(unit), 0) {
		unit = 1
	}
	return Camera{Camera: c, Pivot: c.Target, home: c.Target, Unit: unit, Speed: flySpeed * unit}
}

// Look changes to another camera in the same scene.
func (cc *Camera) Look(c scene.Camera) { cc.Frame(c, 0) }

// Frame changes to a camera moved sideways, so that what it looks at is right of the window's middle by a number of heights
// of the window: in the middle of what panels leave free.
func (cc *Camera) Frame(c scene.Camera, right float32) {
	if !cc.take(c, c.Target) {
		return
	}
	cc.home, cc.homeAt = c.Target, right
	cc.Recenter()
}

// take moves to a camera and a pivot, unless that camera cannot be used: who flies on and on stays at the end of the world.
func (cc *Camera) take(c scene.Camera, pivot mgl64.Vec3) bool {
	if c.Check() != nil {
		return false
	}
	cc.Camera, cc.Pivot = c, pivot
	return true
}

// Distance from the eye to the look-at point, m; never 0.
func (cc *Camera) Distance() float64 {
	return max(cc.Camera.Target.Sub(cc.Camera.Eye).Len(), float64(cc.Unit)/zoomRange)
}

// Angles of the direction of view: yaw to the right of −Z and pitch above the horizon, rad.
func (cc *Camera) Angles() (yaw, pitch float64) {
	f := cc.Camera.Target.Sub(cc.Camera.Eye)
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
func (cc *Camera) turned(right, up float64) mgl64.Vec3 {
	yaw, pitch := cc.Angles()
	return direction(yaw+right, clampPitch(pitch+up))
}

func clampPitch(pitch float64) float64 { return min(max(pitch, -maxPitch), maxPitch) }

// Axes are the directions to the right, up and ahead in the image.
func Axes(yaw, pitch float64) [3]mgl64.Vec3 {
	return [3]mgl64.Vec3{direction(yaw+math.Pi/2, 0), direction(yaw, pitch+math.Pi/2), direction(yaw, pitch)}
}

// Orbit turns the camera about the pivot, so that the scene follows a drag to the right and up (rad). The pivot stays where
// it is in the window.
func (cc *Camera) Orbit(right, up float64) {
	sight := cc.turned(right, up).Mul(cc.Distance())
	c := cc.Camera
	c.Up = mgl32.Vec3{0, 1, 0}
	if cc.Pivot == c.Target {
		c.Eye = cc.Pivot.Sub(sight)
		cc.take(c, cc.Pivot)
		return
	}
	from := Axes(cc.Angles())
	yaw, pitch := cc.Angles()
	to := Axes(yaw+right, clampPitch(pitch+up))
	side := c.Target.Sub(cc.Pivot)
	c.Target = cc.Pivot
	for i := range from {
		c.Target = c.Target.Add(to[i].Mul(side.Dot(from[i])))
	}
	c.Eye = c.Target.Sub(sight)
	cc.take(c, cc.Pivot)
}

// Turn turns the view to the right and up, rad.
func (cc *Camera) Turn(right, up float64) {
	sight := cc.turned(right, up).Mul(cc.Distance())
	c := cc.Camera
	c.Target = c.Eye.Add(sight)
	c.Up = mgl32.Vec3{0, 1, 0}
	cc.take(c, c.Target)
}

// Zoom multiplies the distance to the pivot, or the height of a parallel view.
func (cc *Camera) Zoom(factor float32) {
	c := cc.Camera
	if c.Orthographic > 0 {
		c.Orthographic = float32(cc.inZoomRange(float64(c.Orthographic * factor)))
		cc.take(c, cc.Pivot)
		return
	}
	yaw, pitch := cc.Angles()
	distance := cc.inZoomRange(cc.Distance() * float64(factor))
	if cc.Pivot != c.Target {
		c.Target = cc.Pivot.Add(c.Target.Sub(cc.Pivot).Mul(distance / cc.Distance()))
	}
	c.Eye = c.Target.Sub(direction(yaw, pitch).Mul(distance))
	cc.take(c, cc.Pivot)
}

func (cc *Camera) inZoomRange(length float64) float64 {
	return mgl64.Clamp(length, float64(cc.Unit)/zoomRange, float64(cc.Unit)*zoomRange)
}

// Pan moves eye and pivot in the plane of the image: to the right and up, m.
func (cc *Camera) Pan(right, up float32) {
	to := Axes(cc.Angles())
	cc.shift(to[0].Mul(float64(right)).Add(to[1].Mul(float64(up))))
}

// Slide moves eye and pivot in the ground plane: to the right and ahead, m.
func (cc *Camera) Slide(right, ahead float32) {
	yaw, _ := cc.Angles()
	cc.shift(direction(yaw+math.Pi/2, 0).Mul(float64(right)).Add(direction(yaw, 0).Mul(float64(ahead))))
}

// Fly moves along the direction of view, to its right, and straight up, m.
func (cc *Camera) Fly(ahead, right, up float32) {
	yaw, pitch := cc.Angles()
	cc.shift(direction(yaw, pitch).Mul(float64(ahead)).Add(direction(yaw+math.Pi/2, 0).Mul(float64(right))).Add(mgl64.Vec3{0, float64(up), 0}))
}

// Recenter brings the first pivot back to where it was in the window, without turning or zooming.
func (cc *Camera) Recenter() {
	yaw, _ := cc.Angles()
	target := cc.home.Sub(direction(yaw+math.Pi/2, 0).Mul(float64(cc.homeAt * cc.ViewHeight())))
	if cc.shift(target.Sub(cc.Camera.Target)) {
		cc.Pivot = cc.home
	}
}

func (cc *Camera) shift(by mgl64.Vec3) bool {
	c := cc.Camera
	c.Eye, c.Target = c.Eye.Add(by), c.Target.Add(by)
	return cc.take(c, cc.Pivot.Add(by))
}

// Faster changes the speed of flying by notches of the wheel.
func (cc *Camera) Faster(notches float32) {
	first := flySpeed * cc.Unit
	speed := cc.Speed * float32(math.Pow(SpeedNotch, float64(notches)))
	cc.Speed = mgl32.Clamp(speed, first/speedRange, first*speedRange)
}

// Drag moves the view so that what is looked at stays under the mouse, which moves right and down by heights of the window.
func (cc *Camera) Drag(right, down float64) {
	h := float64(cc.ViewHeight())
	cc.Pan(float32(-right*h), float32(down*h))
}

// DragGround moves the view over the ground, so that this stays under the mouse.
func (cc *Camera) DragGround(right, down float64) {
	h := float64(cc.ViewHeight())
	cc.Slide(float32(-right*h), float32(down*h))
}

// ViewHeight is how much of the scene the window's height shows at the look-at point, m.
func (cc *Camera) ViewHeight() float32 {
	if cc.Camera.Orthographic > 0 {
		return 2 * cc.Camera.Orthographic
	}
	return float32(2 * cc.Distance() * math.Tan(mgl64.DegToRad(float64(cc.Camera.VFov))/2))
}
