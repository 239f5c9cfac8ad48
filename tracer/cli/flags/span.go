package flags

import (
	"fmt"
	"strconv"
	"strings"
)

// Span is a range of whole numbers on the command line, A:B: from first on, up to end and without it, as slices are written.
type Span struct{ First, End int }

// UnmarshalText reads a flag's value.
func (s *Span) UnmarshalText(text []byte) error {
	a, b, ok := strings.Cut(string(text), ":")
	var errA, errB error
	s.First, errA = strconv.Atoi(a)
	s.End, errB = strconv.Atoi(b)
	if !ok || errA != nil || errB != nil || s.First < 0 || s.End <= s.First {
		return fmt.Errorf("%q: want where it begins and where it ends, such as 0:100 for the first hundred", text)
	}
	return nil
}

// MaxSamples bounds the samples of a pixel: the film counts them in single precision.
const MaxSamples = 1 << 24

// CheckSamples refuses numbers of samples that cannot be rendered. The least is one, or two where they are to tell their noise.
func CheckSamples(flag string, n, least int) error {
	if n < least || n > MaxSamples {
		number := map[int]string{1: "one sample", 2: "two samples"}[least]
		return fmt.Errorf("%s %d: want at least %s per pixel, and at most %d", flag, n, number, MaxSamples)
	}
	return nil
}

func (s Span) String() string { return fmt.Sprintf("%d:%d", s.First, s.End) }

// Shard is one of several parts of a work on the command line, I/N, counted from 0 as farms count their tasks. The zero value is
// the whole work.
type Shard struct{ index, Count int }

// UnmarshalText reads a flag's value.
func (s *Shard) UnmarshalText(text []byte) error {
	i, n, ok := strings.Cut(string(text), "/")
	var errI, errN error
	s.index, errI = strconv.Atoi(i)
	s.Count, errN = strconv.Atoi(n)
	if !ok || errI != nil || errN != nil || s.index < 0 || s.index >= s.Count {
		return fmt.Errorf("%q: want which part of how many, counted from 0: 0/4 to 3/4 are four parts", text)
	}
	return nil
}

// Has tells whether the n-th piece of the work is this part's: they are dealt out one by one, so that parts are about equal.
func (s Shard) Has(n int) bool { return s.Count == 0 || n%s.Count == s.index }
