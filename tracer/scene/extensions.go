package scene

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"glint/tracer/guard"
	"glint/tracer/scene/draco"
)

// extensionTable is every extension that glint has an answer for, sorted by name, except those of materials, which stand in
// materialExtensions.
var extensionTable = []extensionRow{
	{imageLights, Supported, "its sharpest images are the environment; its coefficients where there are no images", ""},
	{gpuInstancing, Supported, "", ""},
	{meshoptNames[0], Supported, "", ""},
	{"EXT_texture_webp", Supported, "", ""},
	{animationPointer, Approximated, "nodes, materials, lights and lenses of cameras are animated, nothing else", ""},
	dracoRow(),
	{"KHR_lights_punctual", Supported, "", ""},
	{materialVariants, Supported, "", ""},
	{"KHR_mesh_quantization", Supported, "", ""},
	{meshoptNames[1], Supported, "", ""},
	{"KHR_node_selectability", Supported, "does not change the picture", ""},
	{"KHR_node_visibility", Supported, "", ""},
	{"KHR_texture_basisu", Supported, "", ""},
	{"KHR_texture_transform", Supported, "", ""},
	{"KHR_xmp", Supported, "metadata, does not change the picture", ""},
	{"KHR_xmp_json_ld", Supported, "metadata, does not change the picture", ""},
}

// dracoRow is what this build does with the extension.
func dracoRow() extensionRow {
	if draco.Available {
		return extensionRow{dracoName, Supported, "", ""}
	}
	return extensionRow{dracoName, Ignored, "this build of glint has no Draco decoder", "decompress the file"}
}

func lookExtension(name string) extensionRow {
	at, found := slices.BinarySearchFunc(extensionTable, name, func(r extensionRow, name string) int {
		return strings.Compare(r.name, name)
	})
	if found {
		return extensionTable[at]
	}
	for _, row := range materialExtensions {
		if row.name == name {
			return row.extensionRow
		}
	}
	return extensionRow{name: name, support: Ignored, note: "unknown"}
}

// checkRequired refuses a file that cannot be drawn without an extension that glint ignores.
func checkRequired(root map[string]any) error {
	required, _ := root["extensionsRequired"].([]any)
	for _, v := range required {
		name, _ := v.(string)
		if row := lookExtension(name); row.support == Ignored {
			mend := cmp.Or(row.mend, "take it out of extensionsRequired to see the scene without it")
			return fmt.Errorf("requires the extension %s, which glint does not support: %s", guard.Name(name), mend)
		}
	}
	return nil
}

// Extensions reports the extensions that a file names, of a file that Load refuses, too. It reads nothing else of it.
func Extensions(path string) ([]ExtensionReport, error) {
	memory := guard.NewMemory(guard.DefaultMemory)
	var c container
	var root map[string]json.RawMessage
	data, _, err := readFile(context.Background(), path, memory)
	if err == nil {
		c, err = openContainer(data, newWarnings())
	}
	if err == nil {
		err = memory.Take("the JSON", parseCost(c.json))
	}
	if err == nil {
		if err = json.Unmarshal(c.json, &root); err != nil {
			err = jsonError("the JSON cannot be read", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", path, err)
	}
	// What is no list of names is none: Load says what is wrong with it.
	names := func(key string) (list []string) {
		if json.Unmarshal(root[key], &list) != nil {
			return nil
		}
		return list
	}
	return reportExtensions(names("extensionsUsed"), names("extensionsRequired")), nil
}

// reportExtensions says what becomes of each extension that a file names.
func reportExtensions(used, required []string) (reports []ExtensionReport) {
	names := slices.Concat(used, required)
	slices.Sort(names)
	needed := setOf(required)
	for _, name := range slices.Compact(names) {
		row := lookExtension(name)
		reports = append(reports, ExtensionReport{
			Name: name, Support: row.support, Note: row.note, Required: needed[name],
		})
	}
	return reports
}

// reportFile is the part of the report that needs no geometry.
func reportFile(doc *document) Report {
	used := setOf(doc.ExtensionsUsed)
	for _, name := range doc.ExtensionsRequired {
		if !used[name] {
			doc.warn.about("extension "+guard.Name(name), nil, "required, but not listed in extensionsUsed")
		}
	}
	return Report{
		Generator: doc.Asset.Generator, Nodes: len(doc.Nodes), Meshes: len(doc.Meshes), Animations: len(doc.Animations), Skins: len(doc.Skins),
		Clips: clipReports(doc.Document), Extensions: reportExtensions(doc.ExtensionsUsed, doc.ExtensionsRequired),
	}
}

// placeExtensions lists the materials that would look otherwise if an extension were drawn as the file means it.
func (r *Report) placeExtensions(doc *document, slots map[int]uint32, where *whereabouts) {
	at := map[string]*ExtensionReport{}
	for i := range r.Extensions {
		if e := &r.Extensions[i]; e.Support != Supported {
			at[e.Name] = e
		}
	}
	for _, index := range slices.Sorted(maps.Keys(slots)) {
		if index < 0 {
			continue // glTF's default material
		}
		m := doc.Materials[index]
		for name := range m.Extensions {
			if e := at[name]; e != nil && len(e.Places) < maxNotes {
				e.Places = append(e.Places, Place{label("material", index, m.Name), where.of(subject{materialSubject, int(slots[index])})})
			}
		}
	}
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
