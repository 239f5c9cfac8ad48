package tracer

import (
	"errors"

	"glint/cuda"
	"glint/tracer/oidn"
)

// stage is what twin renderers share: a device with a scene on it, and tables that depend on nothing.
type stage struct {
	device    device
	scene     *deviceScene
	tables    buffer
	renderers int // that are open
	meter     meter
	oidn      *oidn.Device
	oidnWhy   error // why there is none
}

// enter counts a renderer; the first uploads the tables.
func (s *stage) enter() error {
	s.renderers++
	if s.renderers > 1 {
		return nil
	}
	tables := cuda.Tables()
	var err error
	if s.tables, err = s.device.alloc(len(tables)); err != nil {
		return err
	}
	return s.device.upload(s.tables, tables)
}

// use replaces the scene. On an error the old one stays.
func (s *stage) use(p *Prepared) error {
	next, err := upload(s.device, p)
	if err != nil {
		return err
	}
	if s.scene != nil {
		s.scene.free(s.device)
	}
	s.scene = next
	s.meter.clock = 0 // the light of another scene is none to adapt from
	return nil
}

// leave gives everything back with the last renderer.
func (s *stage) leave() error {
	s.renderers--
	if s.renderers > 0 {
		return nil
	}
	if s.scene != nil {
		s.scene.free(s.device)
		s.scene = nil
	}
	s.device.free(s.tables)
	giveBack(s.device, s.meter.claims())
	return errors.Join(s.closeOIDN(), s.device.close())
}
