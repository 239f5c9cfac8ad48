package scene

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"glint/tracer/guard"
)

// readFunc reads one file of the scene's folder by its decoded relative path.
type readFunc func(name string) ([]byte, error)

// readRegular reads a whole regular file through open, which sees it only after its size has been judged.
func readRegular(info os.FileInfo, limit int64, open func() (*os.File, error)) ([]byte, error) {
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("has %d bytes, more than the %d that may be read", info.Size(), limit)
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return data, nil
}

// folderReader reads only inside root: os.Root refuses `..`, absolute paths and symbolic links that leave it.
func folderReader(root *os.Root, limit int64) readFunc {
	return func(name string) ([]byte, error) {
		name = filepath.FromSlash(name)
		info, err := root.Stat(name)
		if err != nil {
			return nil, err
		}
		return readRegular(info, limit, func() (*os.File, error) { return root.Open(name) })
	}
}

// fetch resolves a glTF URI (§2.8): a data URI, or a percent-encoded path that stays in the scene's folder.
func fetch(uri string, read readFunc) ([]byte, error) {
	if strings.HasPrefix(uri, "data:") {
		return decodeDataURI(uri)
	}
	name, err := uriPath(uri)
	if err != nil {
		return nil, err
	}
	return read(name)
}

// uriPath turns a relative reference into a path, refusing all that could leave the folder.
func uriPath(uri string) (string, error) {
	if colon := strings.IndexByte(uri, ':'); colon >= 0 && !strings.ContainsAny(uri[:colon], "/\\") {
		return "", fmt.Errorf("URI %s has a scheme: only files beside the scene are read", guard.Quoted(uri))
	}
	name, err := url.PathUnescape(uri)
	if err != nil {
		return "", fmt.Errorf("URI %s: %w", guard.Quoted(uri), err)
	}
	name = strings.ReplaceAll(name, "\\", "/") // some exporters on Windows write it so
	if strings.ContainsRune(name, 0) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("URI %s leaves the scene's folder", guard.Quoted(uri))
	}
	return name, nil
}

// decodeDataURI decodes `data:[type][;base64],…` (RFC 2397).
func decodeDataURI(uri string) ([]byte, error) {
	head, body, found := strings.Cut(uri, ",")
	if !found {
		return nil, fmt.Errorf("data URI %s has no comma", guard.Quoted(uri))
	}
	if !strings.HasSuffix(head, ";base64") {
		plain, err := url.PathUnescape(body)
		if err != nil {
			return nil, fmt.Errorf("data URI: %w", err)
		}
		return []byte(plain), nil
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(body) // padding left out
	}
	if err != nil {
		return nil, fmt.Errorf("data URI: %w", err)
	}
	return data, nil
}
