package scene

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// parse reads the JSON twice: loosely beside the schema, then into glTF's types.
func parse(data []byte, memory *guard.Memory, warn *warnings) (*gltf.Document, error) {
	cost := parseCost(data)
	if cost > maxJSON {
		return nil, fmt.Errorf("the JSON would take about %s of memory, more than the %s allowed", guard.Size(cost), guard.Size(maxJSON))
	}
	if err := memory.Take("the JSON", cost); err != nil {
		return nil, err
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, jsonError("the JSON cannot be read", err)
	}
	if asset, ok := root["asset"].(map[string]any); ok {
		if err := checkVersion(asset, warn); err != nil {
			return nil, err
		}
	}
	if err := checkRequired(root); err != nil {
		return nil, err
	}
	if err := checkSchema(root, warn); err != nil {
		return nil, err
	}
	doc := new(gltf.Document)
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, jsonError("the JSON is no glTF 2.0", err)
	}
	return doc, nil
}

// jsonError keeps errors readable that quote a number of megabytes.
func jsonError(what string, err error) error {
	return fmt.Errorf("%s: %s", what, guard.Name(err.Error()))
}

// parseCost estimates the memory that parsed JSON takes: an empty object of 2 bytes becomes a struct of hundreds.
func parseCost(data []byte) int64 {
	const perObject, perValue = 600, 48
	objects := bytes.Count(data, []byte{'{'})
	values := bytes.Count(data, []byte{'['}) + bytes.Count(data, []byte{','})
	return int64(objects)*perObject + int64(values)*perValue
}

// checkVersion accepts every 2.x, read as 2.0: the specification keeps minor versions compatible (§2.1).
func checkVersion(asset map[string]any, warn *warnings) error {
	version, _ := asset["version"].(string)
	if !strings.HasPrefix(version, "2.") {
		return fmt.Errorf("asset.version is %s: only glTF 2.0 can be read; convert the file", guard.Quoted(version))
	}
	least, there := asset["minVersion"].(string)
	if there && !strings.HasPrefix(least, "2.") {
		return fmt.Errorf("asset.minVersion is %s: only glTF 2.0 can be read; convert the file", guard.Quoted(least))
	}
	if there && least != "2.0" {
		warn.addf("the file asks for glTF %s at least and is read as 2.0: what newer versions added is ignored", guard.Name(least))
	} else if version != "2.0" {
		warn.addf("the file is glTF %s and is read as 2.0: what newer versions added is ignored", guard.Name(version))
	}
	return nil
}
