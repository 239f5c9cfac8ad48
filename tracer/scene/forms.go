package scene

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"glint/tracer/guard"
)

var (
	componentTypes = oneOf(5120, 5121, 5122, 5123, 5125, 5126)
	anyInteger     = integer(-1 << 53) // judged where it is used
	positive       = number(0, math.MaxFloat64)
	fraction       = number(0, 1)
	white          = vector(0, math.MaxFloat64, 1, 1, 1)
	reflectance    = vector(0, 1, 1, 1, 1)
	black          = vector(0, 1, 0, 0, 0)
	tint           = usuallyToOne(vector(0, math.MaxFloat64, 1, 1, 1, 1))
	film           = number(0, thickestFilm) // nm
	textureInfo    = object("textureInfo")
	name           = rule{name: "name", form: text}
)

// What stands for an element that cannot be used, where others are counted by their place. Whoever uses it learns from
// document.broken what was wrong.
var (
	noObject   = map[string]any{}
	noAccessor = map[string]any{"componentType": 5126, "type": "SCALAR", "count": 0}
	noView     = map[string]any{"buffer": -1, "byteLength": 0}
	noSampler  = map[string]any{"input": -1, "output": -1}
	noChannel  = map[string]any{"sampler": -1, "target": map[string]any{"path": "translation"}}
	noClip     = map[string]any{"channels": []any{}, "samplers": []any{}}
	noMesh     = map[string]any{"primitives": []any{}}
	noPart     = map[string]any{"attributes": map[string]any{}}
	noSkin     = map[string]any{"joints": []any{}}
)

// asNumber reads a number; a text that holds one counts, and a fault says so.
func asNumber(v any) (n float64, fault string, ok bool) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text, fault = v, guard.Quoted(v)+" is a text: read as the number"
	case float64: // of a repair
		return v, "", true
	default:
		return 0, "", false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, fault, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

func noNumber(v any) (any, string, verdict) {
	if v == nil {
		return nil, "null", absent
	}
	return nil, describe(v) + " is no number", bad
}

// whole reads an integer.
func whole(v any) (n int, fault string, ok bool) {
	x, fault, ok := asNumber(v)
	if !ok || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, "", false
	}
	if text, isNumber := v.(json.Number); isNumber && text.String() != strconv.Itoa(int(x)) {
		fault = fmt.Sprintf("%s is no whole number as glTF writes it: read as %d", describe(v), int(x))
	}
	return int(x), fault, true
}

// integer accepts whole numbers from low on; −1 stands for none.
func integer(low int) form {
	return func(_ *checker, v any, _ string) (any, string, verdict) {
		n, fault, ok := whole(v)
		switch {
		case v == nil:
			return noNumber(v)
		case !ok:
			return nil, describe(v) + " is no whole number", bad
		case n == -1 && low > n:
			return nil, "-1", absent
		case n < low:
			return nil, fmt.Sprintf("%d is out of range: at least %d", n, low), bad
		}
		return n, fault, good
	}
}

// number accepts numbers, clamped to low…high.
func number(low, high float64) form {
	return func(_ *checker, v any, _ string) (any, string, verdict) {
		n, fault, ok := asNumber(v)
		switch {
		case !ok:
			return noNumber(v)
		case n < low:
			return low, fmt.Sprintf("%v is below %.6[2]g: %.6[2]g is used", describe(v), low), good
		case n > high:
			return high, fmt.Sprintf("%v is above %.6[2]g: %.6[2]g is used", describe(v), high), good
		case fault != "":
			return n, fault, good
		}
		return v, "", good
	}
}

// any64 accepts every number.
var any64 = number(-math.MaxFloat64, math.MaxFloat64)

// within accepts numbers between low and high.
func within(low, high float64) form {
	return func(_ *checker, v any, _ string) (any, string, verdict) {
		n, fault, ok := asNumber(v)
		switch {
		case !ok:
			return noNumber(v)
		case n <= low || n >= high:
			return nil, fmt.Sprintf("%v does not lie between %.6g and %.6g", describe(v), low, high), bad
		}
		return n, fault, good
	}
}

// unlimited accepts numbers above 0. Others stand for none, as programs write it that know no "unlimited".
func unlimited(c *checker, v any, path string) (any, string, verdict) {
	if n, _, ok := asNumber(v); ok && n <= 0 {
		return nil, describe(v) + " is not above 0", absent
	}
	return any64(c, v, path)
}

// usuallyToOne lets numbers of a vector be above what glTF allows, as other programs do, and says so.
func usuallyToOne(of form) form {
	return func(c *checker, v any, path string) (any, string, verdict) {
		out, fault, is := of(c, v, path)
		values, _ := out.([]any)
		for _, x := range values {
			if n, _, ok := asNumber(x); ok && n > 1 {
				c.say(path, fmt.Sprintf("%v is above 1: used as it is", n))
				break
			}
		}
		return out, fault, is
	}
}

// stride accepts what lies between the beginnings of two elements, bytes; 0 stands for none.
func stride(c *checker, v any, path string) (any, string, verdict) {
	out, fault, is := integer(0)(c, v, path)
	n, ok := out.(int)
	switch {
	case !ok:
	case n == 0:
		return nil, "0", absent
	case n%4 != 0 || n > 252:
		fault = fmt.Sprintf("%d is no multiple of 4 up to 252: used as it is", n)
	}
	return out, fault, is
}

// magnification accepts numbers that are not 0. The sign does not count.
func magnification(c *checker, v any, path string) (any, string, verdict) {
	switch n, _, ok := asNumber(v); {
	case ok && n == 0:
		return nil, "is 0", absent
	case ok && n < 0:
		return -n, fmt.Sprintf("%v is negative: %.6g is used", describe(v), -n), good
	}
	return any64(c, v, path)
}

// refraction accepts an index of refraction: at least 1, or 0, where that is allowed, for full reflection.
func refraction(zero bool) form {
	clamped := number(1, math.MaxFloat64)
	return func(c *checker, v any, path string) (any, string, verdict) {
		if n, _, ok := asNumber(v); ok && n == 0 && zero {
			return n, "", good
		}
		return clamped(c, v, path)
	}
}

// oneOf accepts the listed numbers or strings.
func oneOf(values ...any) form {
	return func(_ *checker, v any, _ string) (any, string, verdict) {
		if v == nil {
			return nil, "null", absent
		}
		for _, want := range values {
			switch want := want.(type) {
			case int:
				if n, fault, ok := whole(v); ok && n == want {
					return want, fault, good
				}
			case string:
				if said, ok := v.(string); ok && said == want {
					return want, "", good
				} else if ok && strings.EqualFold(said, want) {
					return want, fmt.Sprintf("%s is read as %s", describe(v), want), good
				}
			}
		}
		return nil, fmt.Sprintf("%s is none of %v", describe(v), values), bad
	}
}

// index accepts an index into one of the root arrays; −1 stands for none.
func index(array string) form {
	return func(c *checker, v any, _ string) (any, string, verdict) {
		n, fault, ok := whole(v)
		switch list := c.list(array); {
		case v == nil:
			return nil, "null", absent
		case !ok:
			return nil, "must be an index, is " + describe(v), bad
		case n == -1:
			return nil, "-1", absent
		case n < 0 || n >= len(list):
			return nil, fmt.Sprintf("%d is out of range: of %s the file has %d", n, array, len(list)), bad
		}
		return n, fault, good
	}
}

// list accepts an array. Elements that cannot be used are taken out.
func list(of form) form { return listWith(of, nil) }

// listWith accepts an array whose elements go by their place: hole stands for those that cannot be used.
func listWith(of form, hole any) form {
	return func(c *checker, v any, path string) (any, string, verdict) {
		values, ok := v.([]any)
		if !ok {
			return unlike("an array", v)
		}
		if len(values) == 0 {
			c.warn.about(path, nil, "empty arrays are not allowed, ignored")
		}
		kept := values[:0]
		for i, value := range values {
			at := fmt.Sprintf("%s[%d]", path, i)
			out, fault, is := of(c, value, at)
			if is != good {
				c.takeOut(at, cmp.Or(fault, "cannot be used"))
				if out = hole; hole == nil {
					continue
				}
				if c.unusable[at] == nil {
					c.unusable[at] = errors.New(cmp.Or(fault, "cannot be used"))
				}
			} else if fault != "" {
				c.say(at, fault)
			}
			kept = append(kept, out)
		}
		return kept, "", good
	}
}

// every accepts an array of at least one element of which each can be used.
func every(of form) form {
	return func(c *checker, v any, path string) (any, string, verdict) {
		values, ok := v.([]any)
		if !ok {
			return unlike("an array", v)
		}
		if len(values) == 0 {
			return nil, "has 0 elements, needs 1", bad
		}
		for i, value := range values {
			at := fmt.Sprintf("%s[%d]", path, i)
			out, fault, is := of(c, value, at)
			if is != good {
				return nil, fmt.Sprintf("element %d: %s", i, fault), bad
			}
			if fault != "" {
				c.say(at, fault)
			}
			values[i] = out
		}
		return values, "", good
	}
}

// vector accepts as many numbers as there are defaults, which stand for those that are missing.
func vector(low, high float64, defaults ...float64) form {
	each := number(low, high)
	return func(c *checker, v any, path string) (any, string, verdict) {
		values, ok := v.([]any)
		if !ok {
			return unlike(fmt.Sprintf("an array of %d numbers", len(defaults)), v)
		}
		out := make([]any, len(defaults))
		for i := range out {
			if out[i] = defaults[i]; i >= len(values) {
				continue
			}
			at := fmt.Sprintf("%s[%d]", path, i)
			n, fault, is := each(c, values[i], at)
			if is != good {
				c.say(at, fmt.Sprintf("%s: %v is used", fault, defaults[i]))
				continue
			}
			if out[i] = n; fault != "" {
				c.say(at, fault)
			}
		}
		if len(values) != len(out) {
			return out, fmt.Sprintf("must have %d numbers, has %d: the rest is as the default has it", len(out), len(values)), good
		}
		return out, "", good
	}
}

// exactly accepts n numbers and nothing else.
func exactly(n int) form {
	all := every(any64)
	return func(c *checker, v any, path string) (any, string, verdict) {
		if values, ok := v.([]any); !ok || len(values) != n {
			return unlike(fmt.Sprintf("an array of %d numbers", n), v)
		}
		return all(c, v, path)
	}
}

// rotation accepts a quaternion; the loader makes a unit one of it.
func rotation(c *checker, v any, path string) (any, string, verdict) {
	out, fault, is := exactly(4)(c, v, path)
	if is != good {
		return out, fault, is
	}
	length := 0.0
	for _, x := range out.([]any) {
		n, _, _ := asNumber(x)
		length = math.Hypot(length, n)
	}
	switch {
	case length == 0:
		return nil, "turns about no axis", bad
	case math.Abs(length-1) > 0.01:
		return out, fmt.Sprintf("has the length %.3g: made a unit quaternion", length), good
	}
	return out, "", good
}

// dictionary accepts an object. Values that cannot be used are taken out.
func dictionary(of form) form {
	return func(c *checker, v any, path string) (any, string, verdict) {
		fields, ok := v.(map[string]any)
		if !ok {
			return unlike("an object", v)
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			at := path + "." + guard.Name(name)
			out, fault, is := of(c, fields[name], at)
			if is != good {
				c.takeOut(at, fault)
				delete(fields, name)
			} else if fields[name] = out; fault != "" {
				c.say(at, fault)
			}
		}
		return fields, "", good
	}
}

func object(kind string) form {
	return func(c *checker, v any, path string) (any, string, verdict) { return c.object(kind, v, path) }
}

func text(_ *checker, v any, _ string) (any, string, verdict) {
	switch v := v.(type) {
	case string:
		return v, "", good
	case json.Number:
		return v.String(), fmt.Sprintf("%s is a number: read as a text", v), good
	}
	return unlike("a text", v)
}

// version accepts 2 for "2.0".
func version(c *checker, v any, path string) (any, string, verdict) {
	n, _, ok := asNumber(v)
	if said, isText := v.(string); ok && n == 2 && (!isText || !strings.HasPrefix(said, "2.")) {
		return "2.0", describe(v) + ` is read as "2.0"`, good
	}
	return text(c, v, path)
}

func flag(_ *checker, v any, _ string) (any, string, verdict) {
	switch v := v.(type) {
	case bool:
		return v, "", good
	case json.Number, string:
		if on, err := strconv.ParseBool(fmt.Sprint(v)); err == nil {
			return on, fmt.Sprintf("%s is read as %v", describe(v), on), good
		}
	}
	return unlike("true or false", v)
}
