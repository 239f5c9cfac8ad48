package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Sizes of PNG's parts (PNG specification, third edition, §5): signature, a chunk's length, type and CRC, and all that
// stands before the second chunk.
const (
	pngSignature  = "\x89PNG\r\n\x1a\n"
	pngOverhead   = 4 + 4 + 4
	pngHeaderSize = len(pngSignature) + pngOverhead + 13
	pngMaxKeyword = 79
)

// textChunks encodes the entries in the order of their keys, so that equal text gives equal files.
func textChunks(text map[string]string) ([]byte, error) {
	var chunks []byte
	for _, key := range slices.Sorted(maps.Keys(text)) {
		keyword, err := latin1Keyword(key)
		if err != nil {
			return nil, err
		}
		value := text[key]
		switch {
		case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
			return nil, fmt.Errorf("PNG text %q is not UTF-8 without NUL", key)
		case isASCII(value):
			chunks = appendChunk(chunks, "tEXt", slices.Concat(keyword, []byte{0}, []byte(value)))
		default: // not compressed; no language tag; no translated keyword
			chunks = appendChunk(chunks, "iTXt", slices.Concat(keyword, []byte{0, 0, 0, 0, 0}, []byte(value)))
		}
	}
	return chunks, nil
}

// latin1Keyword encodes a key as §11.3.3.1 asks: 1 to 79 printable Latin-1 characters, no space at either end.
func latin1Keyword(key string) ([]byte, error) {
	var keyword []byte
	for _, r := range key {
		if r < 32 || r > 126 && r < 161 || r > 255 {
			return nil, fmt.Errorf("PNG text key %q has characters that are not printable Latin-1", key)
		}
		keyword = append(keyword, byte(r))
	}
	if len(keyword) == 0 || len(keyword) > pngMaxKeyword || strings.TrimSpace(key) != key {
		return nil, fmt.Errorf("PNG text key %q must have 1 to %d characters and no space at its ends", key, pngMaxKeyword)
	}
	return keyword, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

func appendChunk(dst []byte, kind string, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	start := len(dst)
	dst = append(append(dst, kind...), body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// parseText walks the chunks of a PNG file up to IEND.
func parseText(data []byte) (map[string]string, error) {
	rest, ok := bytes.CutPrefix(data, []byte(pngSignature))
	if !ok {
		return nil, errors.New("not a PNG file")
	}
	text := map[string]string{}
	for len(rest) >= pngOverhead {
		size := int64(binary.BigEndian.Uint32(rest))
		if size > int64(len(rest)-pngOverhead) {
			break
		}
		kind, body := string(rest[4:8]), rest[8:8+size]
		if binary.BigEndian.Uint32(rest[8+size:]) != crc32.ChecksumIEEE(rest[4:8+size]) {
			return nil, fmt.Errorf("PNG chunk %q is damaged: wrong CRC", kind)
		}
		if kind == "IEND" {
			return text, nil
		}
		if key, value, ok := parseTextChunk(kind, body); ok {
			text[key] = value
		}
		rest = rest[size+pngOverhead:]
	}
	return nil, errors.New("the PNG file ends before its last chunk")
}

// parseTextChunk decodes one tEXt or uncompressed iTXt chunk; anything else is not ok.
func parseTextChunk(kind string, body []byte) (key, value string, ok bool) {
	keyword, rest, found := bytes.Cut(body, []byte{0})
	if !found || len(keyword) == 0 {
		return "", "", false
	}
	switch kind {
	case "tEXt":
		return fromLatin1(keyword), fromLatin1(rest), true
	case "iTXt":
		if len(rest) < 2 || rest[0] != 0 {
			return "", "", false
		}
		fields := bytes.SplitN(rest[2:], []byte{0}, 3) // language, translated keyword, text
		if len(fields) != 3 || !utf8.Valid(fields[2]) {
			return "", "", false
		}
		return fromLatin1(keyword), string(fields[2]), true
	}
	return "", "", false
}

func fromLatin1(s []byte) string {
	runes := make([]rune, len(s))
	for i, b := range s {
		runes[i] = rune(b)
	}
	return string(runes)
}
