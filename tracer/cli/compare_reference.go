package cli

// findReference has the pictures measured against what the flags say.
func (t *trial) findReference() (err error) {
	t.judge, err = t.asked.find(t.program, t.job, t.sides[0].renderer)
	return err
}

// warnOfNoise tells when the reference hides part of what it should measure.
func (t *trial) warnOfNoise() {
	for _, s := range t.sides {
		if t.judge.noise > 0.1*s.final.RelMSE {
			t.program.log.Warn("the reference is too noisy to measure this: raise --reference-spp", "side", s.name,
				"relMSE of the side", short(s.final.RelMSE), "of the reference", short(t.judge.noise))
		}
	}
}
