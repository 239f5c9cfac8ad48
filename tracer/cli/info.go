package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/bvh"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// infoCommand is `glint info`.
type infoCommand struct {
	Scene   string `arg:"" help:"A .glb or .gltf file, or the name of a built-in scene."`
	JSON    bool   `name:"json" help:"Print one JSON object instead of a table."`
	Furnace bool   `help:"Render a sphere of each material in a white room, and print how much light comes back: 1 where nothing is absorbed."`
	Plan    string `placeholder:"WxH" help:"Tell how much memory a picture of this size will take, on a GPU and on the host, with the settings below."`
	flags.LoadFlags
	flags.SettingsFlags
}

// Run prints what the file holds. Of a file that is refused it prints the extensions, which are mostly the reason.
func (c *infoCommand) Run(ctx context.Context, p *job.Process, line *kong.Context) error {
	if c.Plan == "" && !c.Furnace {
		if err := flags.RefuseIdle(line, "a file alone, without --plan or --furnace", flags.SettingsBut("bvh")); err != nil {
			return err
		}
	}
	memory, err := c.Memory()
	if err != nil {
		return err
	}
	defer memory.HoldCollector()()
	on := tracer.Options{}
	if c.Plan != "" { // it is of a GPU, whether this machine has one or not
		on.Backend = device.KindCUDA
	}
	s, err := job.LoadScene(ctx, c.Scene, on, scene.Options{Variant: c.Variant, Memory: memory})
	if interrupt.Is(ctx, err) {
		return err // which tells nothing about the file
	}
	if err != nil {
		return refused(p.Stdout, c.Scene, c.JSON, err)
	}
	settings, err := c.Settings()
	if err != nil {
		return err
	}
	prepared, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Mipmaps: settings.Mipmaps(), BVH: settings.BVH, Memory: memory})
	if err != nil {
		return err
	}
	about := newSceneInfo(s, settings.BVH, prepared.BVH)
	if c.Furnace {
		if about.Furnace, err = furnace(ctx, s, tracer.Options{Log: p.Log}, settings); err != nil {
			return err
		}
	}
	rows := about.rows(s)
	if c.Plan != "" {
		if about.Plan, err = plan(prepared, settings, c.Plan); err != nil {
			return err
		}
		rows = append(rows, about.Plan.rows()...)
	}
	if c.JSON {
		return save.PrintJSON(p.Stdout, about)
	}
	return printTable(p.Stdout, rows, s.Report.Extensions)
}

// refused prints what can be told of a file that cannot be loaded, and returns the error that says why.
func refused(w io.Writer, path string, asJSON bool, why error) error {
	extensions, err := scene.Extensions(path)
	if err != nil {
		return why // which says as much
	}
	if asJSON {
		err = save.PrintJSON(w, refusedInfo{Scene: path, Refused: why.Error(), Extensions: extensionInfos(extensions)})
	} else if len(extensions) > 0 {
		err = printTable(w, nil, extensions)
	}
	if err != nil {
		return err
	}
	return why
}

// sceneInfo is the JSON object of --json.
type sceneInfo struct {
	Scene          string          `json:"scene"`
	Triangles      int             `json:"triangles"`
	Instances      int             `json:"instances"`
	Vertices       int             `json:"vertices"`
	Materials      int             `json:"materials"`
	OpenTriangles  int             `json:"single_sided_open_triangles"` // not seen from behind
	Textures       int             `json:"textures"`
	Images         int             `json:"images"`
	Megapixels     float64         `json:"megapixels"`
	Size           [3]float32      `json:"size_m"`
	Origin         mgl64.Vec3      `json:"origin_m"` // about which it is drawn, in the file's coordinates
	Lit            bool            `json:"lights_itself"`
	PunctualLights int             `json:"punctual_lights"`
	Nodes          int             `json:"nodes"`
	Animations     int             `json:"animations"`
	Clips          []clipInfo      `json:"clips"` // the animations
	Skins          int             `json:"skins"`
	Cameras        []string        `json:"cameras"`
	Variants       []string        `json:"variants"`
	Furnace        []furnaceRow    `json:"furnace,omitempty"`
	Plan           *planInfo       `json:"plan,omitempty"`
	BVH            bvhInfo         `json:"bvh"`
	Extensions     []extensionInfo `json:"extensions"`
	Notes          []string        `json:"notes"`
}

type clipInfo struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

type bvhInfo struct {
	Method           string  `json:"method"`
	Seconds          float64 `json:"seconds"`
	Nodes            int     `json:"binary_nodes"`
	Leaves           int     `json:"leaves"`
	WideNodes        int     `json:"wide_nodes"`
	Depth            int     `json:"depth"`
	SAH              float64 `json:"sah_cost"`
	BytesPerTriangle float64 `json:"bytes_per_triangle"`
	Triangles        int     `json:"triangles_in_leaves"`
}

type extensionInfo struct {
	Name     string `json:"name"`
	Support  string `json:"support"`
	Required bool   `json:"required"`
	Note     string `json:"note,omitempty"`
}

// refusedInfo is the JSON object of a file that cannot be loaded.
type refusedInfo struct {
	Scene      string          `json:"scene"`
	Refused    string          `json:"refused"`
	Extensions []extensionInfo `json:"extensions"`
}

func extensionInfos(reports []scene.ExtensionReport) []extensionInfo {
	return terminal.Names(reports, func(e scene.ExtensionReport) extensionInfo {
		return extensionInfo{Name: e.Name, Support: e.Support.String(), Required: e.Required, Note: e.Note}
	})
}

func newSceneInfo(s *scene.Scene, method string, t bvh.Stats) sceneInfo {
	b := s.Bounds()
	about := sceneInfo{
		Scene: s.Name, Triangles: s.Triangles(), Instances: len(s.Instances), Vertices: s.StoredVertices(), Materials: len(s.Materials),
		OpenTriangles: s.OpenSingleSided(), Textures: len(s.Textures), Images: len(s.Images),
		Size: b.Max.Sub(b.Min), Origin: s.Origin, Lit: s.HasLight(), PunctualLights: len(s.Lights),
		Nodes: s.Report.Nodes, Animations: s.Report.Animations, Skins: s.Report.Skins, Cameras: terminal.Names(s.Cameras, func(c scene.Camera) string { return c.Name }),
		Clips: []clipInfo{}, Variants: append([]string{}, s.Report.Variants...),
		BVH: bvhInfo{
			Method: method, Seconds: t.Seconds, Nodes: t.Nodes, Leaves: t.Leaves, WideNodes: t.WideNodes,
			Depth: t.MaxDepth, SAH: t.SAH, BytesPerTriangle: t.BytesPerFace(), Triangles: t.Triangles,
		},
		Extensions: extensionInfos(s.Report.Extensions), Notes: terminal.Names(s.Report.Notes, scene.Note.String),
	}
	for _, clip := range s.Report.Clips {
		about.Clips = append(about.Clips, clipInfo(clip))
	}
	for _, img := range s.Images {
		about.Megapixels += float64(img.Width*img.Height) / 1e6
	}
	return about
}

// rows are the same for people.
func (a *sceneInfo) rows(s *scene.Scene) [][2]string {
	light := "yes"
	if !a.Lit {
		light = "none: the environment \"studio\" is added; --env takes another: " + job.EnvironmentNames() + ", or an image file"
	}
	rows := [][2]string{
		{"scene", a.Scene},
		{"triangles", fmt.Sprint(a.Triangles)},
		{"instances", instancesRow(s)},
		{"vertices", fmt.Sprint(a.Vertices)},
		{"materials", fmt.Sprint(a.Materials)},
		{"textures", fmt.Sprintf("%d, made of %d images, %.1f megapixels", a.Textures, a.Images, a.Megapixels)},
		{"size", fmt.Sprintf("%.4g × %.4g × %.4g m", a.Size[0], a.Size[1], a.Size[2])},
		{"light", light},
		{"punctual lights", fmt.Sprint(a.PunctualLights)},
		{"nodes", fmt.Sprint(a.Nodes)},
		{"animations, skins", fmt.Sprintf("%d, %d", a.Animations, a.Skins)},
	}
	for i, clip := range a.Clips {
		rows = append(rows, [2]string{fmt.Sprintf("animation %d", i), fmt.Sprintf("%s, %.4g s", guard.Name(clip.Name), clip.Seconds)})
	}
	if o := a.Origin; o != (mgl64.Vec3{}) {
		rows = append(rows, [2]string{"note", fmt.Sprintf(
			"the scene lies far from the origin: it is drawn about %.10g, %.10g, %.10g m, to keep its precision; cameras are given and shown as in the file", o[0], o[1], o[2])})
	}
	for i, name := range a.Cameras {
		rows = append(rows, [2]string{fmt.Sprintf("camera %d", i), guard.Name(name)})
	}
	for _, m := range a.Furnace {
		rows = append(rows, [2]string{"albedo", fmt.Sprintf("%.3f, %.3f, %.3f of %s", m.Albedo[0], m.Albedo[1], m.Albedo[2],
			guard.Name(m.Material))})
	}
	for i, name := range a.Variants {
		rows = append(rows, [2]string{fmt.Sprintf("variant %d", i), guard.Name(name)})
	}
	beside := ""
	if len(s.Instances) > 0 {
		beside = ", over what is no instance; meshes of instances have their own"
	}
	rows = append(rows,
		[2]string{"BVH (--bvh " + a.BVH.Method + ")", fmt.Sprintf("built in %.3f s%s", a.BVH.Seconds, beside)},
		[2]string{"BVH nodes", fmt.Sprintf("%d binary, %d leaves, %d 8-wide", a.BVH.Nodes, a.BVH.Leaves, a.BVH.WideNodes)},
		[2]string{"BVH depth", fmt.Sprintf("%d binary nodes", a.BVH.Depth)},
		[2]string{"BVH SAH cost", fmt.Sprintf("%.4g triangle tests per ray", a.BVH.SAH)},
		[2]string{"BVH memory", fmt.Sprintf("%.1f bytes per triangle: %d triangles in leaves, and both kinds of nodes",
			a.BVH.BytesPerTriangle, a.BVH.Triangles)},
	)
	for _, note := range a.Notes {
		rows = append(rows, [2]string{"note", note})
	}
	if a.OpenTriangles > 0 {
		rows = append(rows, [2]string{"note", fmt.Sprintf(
			"%d triangles at the rim of open surfaces have single-sided materials: cameras do not see them from behind, unless with --cull off", a.OpenTriangles)})
	}
	return rows
}

// instancesRow says what instances save, or would save.
func instancesRow(s *scene.Scene) string {
	r := s.Report.Repeats
	if r.Instances == 0 {
		return "none: no large mesh is drawn twice"
	}
	kept, copies := float64(r.Instanced)/1e6, float64(r.Baked)/1e6
	if len(s.Instances) == 0 {
		return fmt.Sprintf("none: %d copies of %d meshes fit and are as fast or faster: %.4g MB on the device, %.4g MB as instances",
			r.Instances, r.Meshes, copies, kept)
	}
	return fmt.Sprintf("%d of %d meshes: %.4g MB on the device, %.4g MB as copies", r.Instances, r.Meshes, kept, copies)
}

func printTable(w io.Writer, rows [][2]string, extensions []scene.ExtensionReport) error {
	for _, e := range extensionInfos(extensions) {
		text := e.Support
		if e.Required {
			text += ", required"
		}
		if e.Note != "" {
			text += ": " + e.Note
		}
		rows = append(rows, [2]string{guard.Name(e.Name), text})
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%s\n", terminal.Line(row[0]), terminal.Line(row[1]))
	}
	return t.Flush()
}
