package session

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"
)

// Grouped writes a count with thin groups of three digits.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	var parts []string
	for len(digits) > 3 {
		parts = append([]string{digits[len(digits)-3:]}, parts...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, parts...), " ")
}

// Count writes a number of things.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Grouped(n) + " " + thing + "s"
}

// CoordinatesNear writes a point, m, so exactly that what is a length away stays in its direction: in four digits, and more
// where the point is farther from the origin than that.
func CoordinatesNear(p mgl64.Vec3, length float64, separator string) string {
	far := max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
	digits := 4
	if far > length && length > 0 {
		digits = min(digits+int(math.Ceil(math.Log10(far/length))), 17)
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', digits, 64) }
	return number(p[0]) + separator + number(p[1]) + separator + number(p[2])
}

// ShortReason is what an error says before its details in brackets.
func ShortReason(err error) string {
	text, _, _ := strings.Cut(err.Error(), " (")
	return text
}

// SI writes a number to three digits with its metric prefix.
func SI(x float64) string {
	for _, p := range []struct {
		unit float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if x >= p.unit {
			return fmt.Sprintf("%.3g%s", x/p.unit, p.name)
		}
	}
	return fmt.Sprintf("%.3g", x)
}

// Digits writes a time in ms to about three digits.
func Digits(ms float64) string {
	places := 3 - int(math.Floor(math.Log10(max(ms, 0.1))+1))
	return fmt.Sprintf("%.*f", min(max(places, 0), 3), ms)
}

// InBytes writes a size.
func InBytes(n int) string { return SI(float64(n)) + "B" }

// Duration writes a time to about three digits.
func Duration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s >= 100:
		return fmt.Sprintf("%.0f s", s)
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 0.1:
		return fmt.Sprintf("%.0f ms", s*1e3)
	default:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
}

// Seconds writes a time that nobody knows exactly, in whole seconds.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.0f s", max(math.Ceil(d.Seconds()), 1)) }

// Groups lists the headings of a table in order.
func Groups[Row any](table []Row, heading func(Row) string) []string {
	var names []string
	for _, row := range table {
		if !slices.Contains(names, heading(row)) {
			names = append(names, heading(row))
		}
	}
	return names
}
