package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// span is a range of whole numbers on the command line, A:B: from first on, up to end and without it, as slices are written.
type span struct{ first, end int }

// UnmarshalText reads a flag's value.
func (s *span) UnmarshalText(text []byte) error {
	a, b, ok := strings.Cut(string(text), ":")
	var errA, errB error
	s.first, errA = strconv.Atoi(a)
	s.end, errB = strconv.Atoi(b)
	if !ok || errA != nil || errB != nil || s.first < 0 || s.end <= s.first {
		return fmt.Errorf("%q: want where it begins and where it ends, such as 0:100 for the first hundred", text)
	}
	return nil
}

// maxSamples bounds the samples of a pixel: the film counts them in single precision.
const maxSamples = 1 << 24

// checkSamples refuses numbers of samples that cannot be rendered. The least is one, or two where they are to tell their noise.
func checkSamples(flag string, n, least int) error {
	if n < least || n > maxSamples {
		number := map[int]string{1: "one sample", 2: "two samples"}[least]
		return fmt.Errorf("%s %d: want at least %s per pixel, and at most %d", flag, n, number, maxSamples)
	}
	return nil
}

func (s span) String() string { return fmt.Sprintf("%d:%d", s.first, s.end) }

// shard is one of several parts of a work on the command line, I/N, counted from 0 as farms count their tasks. The zero value is
// the whole work.
type shard struct{ index, count int }

// UnmarshalText reads a flag's value.
func (s *shard) UnmarshalText(text []byte) error {
	i, n, ok := strings.Cut(string(text), "/")
	var errI, errN error
	s.index, errI = strconv.Atoi(i)
	s.count, errN = strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || s.index < 0 || s.index >= s.count {
		return fmt.Errorf("%q: want which part of how many, counted from 0: 0/4 to 3/4 are four parts", text)
	}
	return nil
}

// has tells whether the n-th piece of the work is this part's: they are dealt out one by one, so that parts are about equal.
func (s shard) has(n int) bool { return s.count == 0 || n%s.count == s.index }
