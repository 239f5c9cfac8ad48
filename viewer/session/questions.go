package session

import "cmp"

// Questions are what the user asks about the view. One answer is shown at a time.
type Questions struct {
	Noise *Noise
	Tuner *Tuner
	Tour  *Tour
}

// do does what a command asks about the view.
func (q *Questions) do(command Command) {
	switch command := command.(type) {
	case LookForNoise:
		q.Close()
		q.Noise.Look()
	case MendNoise:
		q.Noise.mend(command.Part)
	case Tune:
		q.Close()
		q.Tuner.Start()
	case StartTour:
		q.Noise.Close()
		q.Tuner.Close()
		q.Tour.Start()
	case StepTour:
		q.Tour.step(command.By)
	case CloseFindings:
		q.Close()
	}
}

// findings are the answer; nil: there is none.
func (q *Questions) findings() *Findings {
	return cmp.Or(q.Tour.findings(), q.Tuner.findings(), q.Noise.findings())
}

// Close hides it. It tells whether there was one.
func (q *Questions) Close() bool {
	noise, tuning, tour := q.Noise.Close(), q.Tuner.Close(), q.Tour.Close()
	return noise || tuning || tour
}
