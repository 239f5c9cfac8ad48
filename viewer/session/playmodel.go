package session

const (
	Slowest  = 1. / 16 // of speeds of playing
	Fastest  = 16
	StepTime = 1. / 24 // s: of a step through the animation
	AtRest   = "at rest"
)

// PlayModel is what the panel shows of the animation.
type PlayModel struct {
	Clips   []string // number and name
	Clip    int      // −1: at rest
	Seconds float64
	Length  float64 // s
	Playing bool
	Once    bool
	Speed   float64
}
