package cli

import (
	"fmt"
	"text/tabwriter"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
)

// infoCommand is `glint info`.
type infoCommand struct {
	Scene string `arg:"" help:"A .glb or .gltf file, or the name of a built-in scene."`
	SettingsFlags
}

// Run prints what the file holds.
func (c *infoCommand) Run(p *Program) error {
	s, err := LoadScene(c.Scene, tracer.Options{}, nil)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(p.Stdout, 0, 8, 2, ' ', 0)
	bvh, err := c.bvhRows(s)
	if err != nil {
		return err
	}
	for _, row := range append(infoRows(s), bvh...) {
		fmt.Fprintf(t, "%s\t%s\n", row[0], row[1])
	}
	for _, e := range s.Report.Extensions {
		required := ""
		if e.Required {
			required = ", required"
		}
		fmt.Fprintf(t, "%s\t%s%s", e.Name, supportWords[e.Support], required)
		if e.Note != "" {
			fmt.Fprintf(t, ": %s", e.Note)
		}
		fmt.Fprintln(t)
	}
	for _, w := range s.Report.Warnings {
		fmt.Fprintf(t, "note\t%s\n", w)
	}
	return t.Flush()
}

var supportWords = map[scene.Support]string{
	scene.Supported: "supported", scene.Approximated: "approximated", scene.Ignored: "ignored",
}

// bvhRows describe the BVH that --bvh asks for.
func (c *infoCommand) bvhRows(s *scene.Scene) ([][2]string, error) {
	settings, err := c.settings()
	if err != nil {
		return nil, err
	}
	p, err := gpuscene.Prepare(s, gpuscene.Options{BVH: settings.BVH})
	if err != nil {
		return nil, err
	}
	t := p.BVH
	return [][2]string{
		{"BVH (--bvh " + settings.BVH + ")", fmt.Sprintf("built in %.3f s", t.Seconds)},
		{"BVH nodes", fmt.Sprintf("%d binary, %d leaves, %d 8-wide", t.Nodes, t.Leaves, t.WideNodes)},
		{"BVH depth", fmt.Sprintf("%d binary nodes", t.MaxDepth)},
		{"BVH SAH cost", fmt.Sprintf("%.4g triangle tests per ray", t.SAH)},
		{"BVH memory", fmt.Sprintf("%.1f bytes per triangle: %d triangles in leaves, and both kinds of nodes", t.BytesPerFace(), t.Triangles)},
	}, nil
}

// instancesRow says what instances save, or would save.
func instancesRow(s *scene.Scene) string {
	r := s.Report.Repeats
	if r.Instances == 0 {
		return "none: no large mesh is drawn twice"
	}
	kept, copies := float64(r.Instanced)/1e6, float64(r.Baked)/1e6
	if len(s.Instances) == 0 {
		return fmt.Sprintf("none: %d copies of %d meshes fit and are faster: %.4g MB on the device, %.4g MB as instances", r.Instances, r.Meshes, copies, kept)
	}
	return fmt.Sprintf("%d of %d meshes: %.4g MB on the device, %.4g MB as copies", r.Instances, r.Meshes, kept, copies)
}

// infoRows are the plain facts.
func infoRows(s *scene.Scene) [][2]string {
	b := s.Bounds()
	size := b.Max.Sub(b.Min)
	var pixels int
	for _, img := range s.Images {
		pixels += img.Width * img.Height
	}
	light := "yes"
	if !s.HasLight() {
		light = "none: a studio environment is added"
	}
	rows := [][2]string{
		{"scene", s.Name},
		{"triangles", fmt.Sprint(s.Triangles())},
		{"instances", instancesRow(s)},
		{"vertices", fmt.Sprint(len(s.Vertices))},
		{"materials", fmt.Sprint(len(s.Materials))},
		{"textures", fmt.Sprintf("%d, made of %d images, %.1f megapixels", len(s.Textures), len(s.Images), float64(pixels)/1e6)},
		{"size", fmt.Sprintf("%.4g × %.4g × %.4g m", size[0], size[1], size[2])},
		{"light", light},
		{"punctual lights", fmt.Sprint(len(s.Lights))},
		{"nodes", fmt.Sprint(s.Report.Nodes)},
		{"animations, skins", fmt.Sprintf("%d, %d (shown at rest)", s.Report.Animations, s.Report.Skins)},
	}
	for i, c := range s.Cameras {
		rows = append(rows, [2]string{fmt.Sprintf("camera %d", i), c.Name})
	}
	return rows
}
