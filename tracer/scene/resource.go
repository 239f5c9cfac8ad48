package scene

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/guard"
)

// readFunc reads one file of the scene's folder by its decoded relative path.
type readFunc func(name string) ([]byte, error)

// readFile reads the file at a path of the user's.
func readFile(ctx context.Context, path string, memory *guard.Memory) ([]byte, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	data, err := readRegular(ctx, info, memory, func() (*os.File, error) { return guard.OpenRegular(path) })
	return data, info, err
}

// readRegular reads a whole regular file through open, which sees it only after its size has been judged.
func readRegular(ctx context.Context, info os.FileInfo, memory *guard.Memory, open func() (*os.File, error)) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if err := memory.Take("the file "+guard.Name(info.Name()), info.Size()); err != nil {
		return nil, err
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	data := guard.MakeLarge[byte](int(info.Size()))
	const piece = 64 << 20 // between two looks at whether anybody still wants it
	for rest := data; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(f, rest[:min(piece, len(rest))]); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// folder reads the files of one folder, each once, under whatever names a scene calls it.
type folder struct {
	ctx    context.Context // of the load
	root   *os.Root        // refuses `..`, absolute paths and symbolic links that leave it
	memory *guard.Memory
	names  map[string]*folderFile
	files  []*folderFile
}

type folderFile struct {
	info os.FileInfo
	data []byte
	err  error
}

func newFolder(ctx context.Context, root *os.Root, memory *guard.Memory) *folder {
	return &folder{ctx: ctx, root: root, memory: memory, names: map[string]*folderFile{}}
}

func (f *folder) read(name string) ([]byte, error) {
	name = filepath.Clean(filepath.FromSlash(name))
	file, known := f.names[name]
	if !known {
		file = f.find(name)
		f.names[name] = file
	}
	return file.data, file.err
}

// find is the file of a name that has not been asked for yet.
func (f *folder) find(name string) *folderFile {
	info, err := f.root.Stat(name)
	if err != nil {
		return &folderFile{err: err}
	}
	for _, other := range f.files {
		if os.SameFile(info, other.info) {
			return other
		}
	}
	file := &folderFile{info: info}
	file.data, file.err = readRegular(f.ctx, info, f.memory, func() (*os.File, error) { return guard.OpenRegularIn(f.root, name) })
	f.files = append(f.files, file)
	return file
}

// resources reads what the URIs of a file name.
type resources struct {
	*job
	fetch   readFunc
	given   int64          // bytes of all files, data URIs among them
	counted map[*byte]bool // files that are in given, by their first byte
}

// newResources begins with so many bytes of the file itself.
func newResources(j *job, fetch readFunc, given int64) *resources {
	return &resources{job: j, fetch: fetch, given: given, counted: map[*byte]bool{}}
}

// resolve reads what a glTF URI (§2.8) names: a data URI, or a path that stays in the scene's folder: percent-encoded, as glTF wants
// it, or else as it is written.
func (r *resources) resolve(uri string) ([]byte, error) {
	if isDataURI(uri) {
		if err := r.scratch.Take("data URIs", int64(len(uri))); err != nil {
			return nil, err
		}
		data, odd, err := decodeDataURI(uri)
		if odd {
			r.warn.addf("base64 of a data URI is written for URLs, or holds spaces: read all the same")
		}
		return data, err
	}
	names, err := uriPaths(uri)
	if err != nil {
		return nil, err
	}
	var data []byte
	for i, name := range names {
		found, failed := r.fetch(name)
		if i == 0 || failed == nil {
			data, err = found, failed
		}
		if err == nil {
			if i > 0 {
				r.warn.about("URI "+guard.Quoted(uri), nil, "is a name that is not percent-encoded: read as it is written")
			}
			break
		}
	}
	var pathErr *os.PathError
	if errors.As(err, &pathErr) { // which would say the name as it is
		err = fmt.Errorf("%s: %w", guard.Quoted(names[0]), pathErr.Err)
	}
	if len(data) > 0 && !r.counted[&data[0]] {
		r.counted[&data[0]] = true
		r.given += int64(len(data))
	}
	return data, err
}

// noteUnread notes a file beside the scene's that is not as the scene needs it, by its URI; not data in the scene's own file.
func (r *resources) noteUnread(uri string) {
	if uri != "" && !isDataURI(uri) {
		r.warn.addUnread(uri)
	}
}

// isDataURI tells a data URI by its scheme, which has no case (RFC 3986 §3.1).
func isDataURI(uri string) bool { return len(uri) >= 5 && strings.EqualFold(uri[:5], "data:") }

// uriPaths turns a relative reference into the paths that may be meant, refusing all that could leave the folder.
func uriPaths(uri string) (names []string, _ error) {
	if colon := strings.IndexByte(uri, ':'); colon >= 0 && !strings.ContainsAny(uri[:colon], "/\\") {
		return nil, fmt.Errorf("URI %s has a scheme: only files beside the scene are read", guard.Quoted(uri))
	}
	decoded, err := url.PathUnescape(uri)
	if err != nil { // the name has a percent sign of its own
		decoded = uri
	}
	for _, name := range []string{decoded, uri} {
		name = strings.ReplaceAll(name, "\\", "/") // some exporters on Windows write it so
		if strings.ContainsRune(name, 0) || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("URI %s leaves the scene's folder", guard.Quoted(uri))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// decodeDataURI decodes `data:[type][;base64],…` (RFC 2397). Base64 in a form that it does not allow, which browsers read, is odd.
func decodeDataURI(uri string) (data []byte, odd bool, err error) {
	head, body, found := strings.Cut(uri, ",")
	if !found {
		return nil, false, fmt.Errorf("data URI %s has no comma", guard.Quoted(uri))
	}
	coded := strings.HasSuffix(strings.ToLower(strings.ReplaceAll(head, " ", "")), ";base64")
	if !coded || strings.Contains(body, "%") {
		if body, err = url.PathUnescape(body); err != nil {
			return nil, false, fmt.Errorf("data URI: %w", err)
		}
	}
	if !coded {
		return []byte(body), false, nil
	}
	if odd = strings.ContainsAny(body, "-_ \t\r\n"); odd {
		body = strings.NewReplacer("-", "+", "_", "/", " ", "", "\t", "", "\r", "", "\n", "").Replace(body)
	}
	if data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "=")); err != nil {
		return nil, odd, fmt.Errorf("data URI: %w", err)
	}
	return data, odd, nil
}

// list is every file of the folder that was asked for, found or not, sorted.
func (f *folder) list() (list []File) {
	for _, name := range slices.Sorted(maps.Keys(f.names)) {
		file := File{Path: filepath.Join(f.root.Name(), name)}
		if info := f.names[name].info; info != nil {
			file.State = stateOf(info)
		}
		list = append(list, file)
	}
	return list
}
