package cli

import (
	"errors"
	"fmt"

	"glint/tracer"
	"glint/tracer/cli/job"
	"glint/tracer/integrator"
	"glint/tracer/replay"
)

// parseReplay is the sample that --replay asks for.
func parseReplay(text string) (at tracer.PixelSample, err error) {
	if n, err := fmt.Sscanf(text+"\n", "%d,%d,%d\n", &at.X, &at.Y, &at.N); err != nil || n < 3 || at.X < 0 || at.Y < 0 || at.N < 0 {
		return at, fmt.Errorf("--replay %s: give the pixel and the number of the sample, such as 320,200,0", text)
	}
	return at, nil
}

// printPath prints how light came to the sample that --replay asks for, and tells whether it is the one that was saved.
func printPath(p *job.Process, j *job.Job, asked string) error {
	at, err := parseReplay(asked)
	if err != nil {
		return err
	}
	at.N = 0 // the image has that sample alone
	image := j.Renderer.Image()
	var steps []replay.Step
	var lo [3]float32
	if integrator.Reuses(j.Renderer.Engine().Plan(j.View, j.Settings).Settings.Integrator) {
		shared, err := image.Reused(j.View, j.Settings, at.X, at.Y)
		if err != nil {
			return err
		}
		steps, lo = shared.Describe(j.View.Width), shared.Answer.Lo
	} else {
		paths, err := image.Replay(j.View, j.Settings, []tracer.PixelSample{at}, tracer.MostVertices(&j.Settings))
		if err != nil {
			return err
		}
		steps, lo = paths[0].Describe(j.Prepared), paths[0].Answer.Lo
	}
	for _, step := range steps {
		fmt.Fprintln(p.Stdout, step.Title)
		for _, detail := range step.Details {
			fmt.Fprintln(p.Stdout, "      "+detail)
		}
	}
	fmt.Fprintf(p.Stdout, "sample %s: %v %v %v nit\n", asked, lo[0], lo[1], lo[2])
	if d := p.Restored; d != nil && d.Replay != nil && d.Replay.Where() == asked && !d.Replay.Same(lo) {
		return errors.New("this is not the light that was saved: the scene, the settings or glint have changed since")
	}
	return nil
}
