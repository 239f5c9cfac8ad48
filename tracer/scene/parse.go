package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// maxJSON bounds the memory that the parsed JSON of a file may take, estimated before parsing, bytes: far above every scene.
const maxJSON = 1 << 30

// parse reads the JSON twice: loosely, to repair it by the schema, then into glTF's types. Of objects that cannot be used it tells why.
func parse(data []byte, memory *guard.Memory, warn *warnings, required func(root map[string]any) error) (*gltf.Document, map[string]error, error) {
	cost := parseCost(data)
	if cost > maxJSON {
		return nil, nil, fmt.Errorf("the JSON would take about %s of memory, more than the %s allowed", guard.Size(cost), guard.Size(maxJSON))
	}
	if err := memory.Take("the JSON", cost); err != nil {
		return nil, nil, err
	}
	root, data, err := readTree(data, memory, warn)
	if err != nil {
		return nil, nil, jsonError("the JSON cannot be read", err)
	}
	keys := countKeys(root)
	c := repair(root, warn)
	asset, _ := root["asset"].(map[string]any)
	if err := checkVersion(asset, warn); err != nil {
		return nil, nil, err
	}
	if err := required(root); err != nil {
		return nil, nil, err
	}
	twice := countColons(data) - keys
	if twice > 0 {
		warn.addf("the JSON has %d properties twice in one object: the last of each counts", twice)
	}
	if c.changed || twice > 0 { // what is decoded is what was checked
		if err := memory.Take("the repaired JSON", int64(len(data))); err != nil {
			return nil, nil, err
		}
		if data, err = json.Marshal(root); err != nil {
			return nil, nil, fmt.Errorf("the JSON cannot be repaired: %w", err)
		}
	}
	doc := new(gltf.Document)
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, nil, jsonError("the JSON is no glTF 2.0", err)
	}
	return doc, c.unusable, nil
}

// readTree parses JSON, and keeps how numbers are written. Where the names of numbers stand bare that JSON has not, as Python writes
// them, they are read as texts. It gives the JSON that it read.
func readTree(data []byte, memory *guard.Memory, warn *warnings) (map[string]any, []byte, error) {
	root, err := decodeTree(data)
	if err == nil {
		return root, data, nil
	}
	quoted, names := quoteNumberNames(data)
	if names == 0 {
		return nil, nil, err
	}
	if err := memory.Take("the repaired JSON", int64(len(quoted))); err != nil {
		return nil, nil, err
	}
	if root, err = decodeTree(quoted); err != nil {
		return nil, nil, err
	}
	warn.addf("the JSON holds NaN or Infinity %d times, which JSON has not: read as no number", names)
	return root, quoted, nil
}

func decodeTree(data []byte) (root map[string]any, err error) {
	if !json.Valid(data) { // says where, and reads nothing into memory
		return nil, json.Unmarshal(data, &root)
	}
	numbers := json.NewDecoder(bytes.NewReader(data))
	numbers.UseNumber()
	if err := numbers.Decode(&root); err != nil {
		return nil, err
	}
	if root == nil {
		return nil, errors.New("it is null")
	}
	return root, nil
}

// numberNames are NaN and Infinity as programs write them, and what bare words are besides.
var numberNames = regexp.MustCompile(`-?\b(?i:nan|inf|infinity)\b`)

// quoteNumberNames puts the names of numbers into quotes.
func quoteNumberNames(data []byte) (out []byte, names int) {
	byTexts(data, func(bare, text []byte) {
		out = append(out, numberNames.ReplaceAllFunc(bare, func(name []byte) []byte {
			names++
			return fmt.Appendf(nil, "%q", name)
		})...)
		out = append(out, text...)
	})
	return out, names
}

// byTexts visits all of JSON by its strings: what stands bare before one, and that. Either may be empty at the end.
func byTexts(data []byte, visit func(bare, text []byte)) {
	for len(data) > 0 {
		begin := bytes.IndexByte(data, '"')
		if begin < 0 {
			begin = len(data)
		}
		end := begin + 1
		for ; end < len(data) && data[end] != '"'; end++ {
			if data[end] == '\\' {
				end++
			}
		}
		end = min(end+1, len(data))
		visit(data[:begin], data[begin:end])
		data = data[end:]
	}
}

// countColons counts those outside of strings: one for each property as written.
func countColons(data []byte) (n int) {
	byTexts(data, func(bare, _ []byte) { n += bytes.Count(bare, []byte{':'}) })
	return n
}

// countKeys counts the properties of all objects.
func countKeys(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, below := range v {
			n += countKeys(below)
		}
	case []any:
		for _, below := range v {
			n += countKeys(below)
		}
	}
	return n
}

// parseCost estimates the memory that parsed JSON takes: an empty object of 2 bytes becomes a struct of hundreds.
func parseCost(data []byte) int64 {
	const perObject, perValue = 600, 64 // numbers are kept as they are written
	objects := bytes.Count(data, []byte{'{'})
	values := bytes.Count(data, []byte{'['}) + bytes.Count(data, []byte{','})
	return int64(objects)*perObject + int64(values)*perValue
}

// checkVersion accepts every 2.x, read as 2.0: the specification keeps minor versions compatible (§2.1).
func checkVersion(asset map[string]any, warn *warnings) error {
	version, there := asset["version"].(string)
	if !there {
		warn.about("asset.version", nil, "is missing: read as glTF 2.0")
		return nil
	}
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
