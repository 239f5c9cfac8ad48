package viewer

const (
	slowest  = 1. / 16 // of speeds of playing
	fastest  = 16
	stepTime = 1. / 24 // s: of a step through the animation
	atRest   = "at rest"
)

// playModel is what the panel shows of the animation.
type playModel struct {
	clips   []string // number and name
	clip    int      // −1: at rest
	seconds float64
	length  float64 // s
	playing bool
	once    bool
	speed   float64
}
