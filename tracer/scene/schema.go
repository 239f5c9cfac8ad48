package scene

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"glint/tracer/guard"
)

// checker walks the raw JSON beside the schema table and repairs it: what is out of range is clamped, what is written in another form is
// read as it was meant, and what cannot be read is taken out. Each repair is a warning that names the place. What it leaves behind has
// the types and the references that the typed document needs.
type checker struct {
	schema  map[string][]rule
	sense   map[string]check // what else must hold of an object of a kind
	root    map[string]any
	used    map[any]bool // extensionsUsed
	warn    *warnings
	changed bool
	alike   map[string]int // warnings by their path without numbers

	unusable map[string]error // why an object that others refer to is left out, by its path
}

// form reads one JSON value; path names it in warnings. It gives the value that the document gets, and what was wrong with it.
type form func(c *checker, v any, path string) (out any, fault string, is verdict)

// verdict is what a form thinks of a value.
type verdict int

const (
	good   verdict = iota // it can be used, after a repair if there is a fault
	absent                // it stands for nothing
	bad                   // it cannot be used
)

// check is a look at a whole object, once its properties have been read.
type check func(c *checker, fields map[string]any, path string)

// rule is one property of an object: without one that it needs, or with a vital one that is bad, the object is left out.
type rule struct {
	name  string
	form  form
	need  bool
	vital bool
}

// mostAlike is how many places are named where the same property has a fault.
const mostAlike = 8

var numbersInPaths = regexp.MustCompile(`\[\d+\]`)

// say warns of a repair.
func (c *checker) say(path, fault string) {
	c.changed = true
	key := numbersInPaths.ReplaceAllString(path, "[]")
	if c.alike[key]++; c.alike[key] <= mostAlike {
		c.warn.about(path, nil, "%s", fault)
	}
}

func (c *checker) takeOut(path, fault string) {
	c.say(path, fault+": left out")
	c.warn.lose(fmt.Errorf("%s: %s", path, fault))
}

// object reads the properties of one object. A fault of it that is not empty has not been said.
func (c *checker) object(kind string, v any, path string) (any, string, verdict) {
	fields, ok := v.(map[string]any)
	if !ok {
		return unlike("an object", v)
	}
	rules := c.schema[kind]
	c.spell(fields, rules, path)
	var broken error
	for _, r := range rules {
		at := join(path, r.name)
		value, there := fields[r.name]
		if !there {
			if r.need && broken == nil {
				broken = errors.New(r.name + " is missing")
			}
			continue
		}
		out, fault, is := r.form(c, value, at)
		switch {
		case is == good && fault == "":
			fields[r.name] = out
			continue
		case is == good:
			c.say(at, fault)
			fields[r.name] = out
			continue
		}
		delete(fields, r.name)
		c.changed = true
		fatal := r.need || r.vital && is == bad
		if fatal && broken == nil {
			broken = fmt.Errorf("%s: %s", r.name, cmp.Or(fault, "cannot be used"))
		}
		switch {
		case fatal || fault == "":
		case is == absent:
			c.say(at, fault+": read as if it were not there")
		default:
			c.takeOut(at, fault)
		}
	}
	c.unknown(fields, rules, path)
	c.extensions(fields, path)
	if broken != nil {
		c.unusable[path] = broken
		return nil, broken.Error(), bad
	}
	if check := c.sense[kind]; check != nil {
		check(c, fields, path)
	}
	return fields, "", good
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// unlike is the reading of a value of another type.
func unlike(want string, v any) (any, string, verdict) {
	if v == nil {
		return nil, "null", absent
	}
	return nil, fmt.Sprintf("must be %s, is %s", want, describe(v)), bad
}

// spell has properties whose names differ in case alone be spelt as glTF does: the decoder of the typed document ignores case, so they
// would get past the checks.
func (c *checker) spell(fields map[string]any, rules []rule, path string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		known := func(r rule) bool { return strings.EqualFold(r.name, name) }
		i := slices.IndexFunc(rules, known)
		right := ""
		switch {
		case i >= 0:
			right = rules[i].name
		case strings.EqualFold(name, "extensions"), strings.EqualFold(name, "extras"):
			right = strings.ToLower(name)
		}
		if right == "" || right == name {
			continue
		}
		_, taken := fields[right]
		if taken {
			c.say(join(path, guard.Name(name)), "glTF spells it "+right+", which is there, too: ignored")
		} else {
			c.say(join(path, guard.Name(name)), "glTF spells it "+right+": read as that")
			fields[right] = fields[name]
		}
		delete(fields, name)
	}
}

// unknown reports properties that glTF does not know: a misspelt name would otherwise go unnoticed.
func (c *checker) unknown(fields map[string]any, rules []rule, path string) {
	for name := range fields {
		if name != "extensions" && name != "extras" && !slices.ContainsFunc(rules, func(r rule) bool { return r.name == name }) {
			c.warn.about(join(path, guard.Name(name)), nil, "not part of glTF 2.0, ignored")
		}
	}
}

func (c *checker) extensions(of map[string]any, path string) {
	v, there := of["extensions"]
	if !there {
		return
	}
	path = join(path, "extensions")
	fields, ok := v.(map[string]any)
	if !ok {
		_, fault, is := unlike("an object", v)
		if is == absent {
			c.say(path, fault+": read as if it were not there")
		} else {
			c.takeOut(path, fault)
		}
		delete(of, "extensions")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := path + "." + guard.Name(name)
		if !c.used[name] {
			c.warn.about(at, nil, "not listed in extensionsUsed")
		}
		var fault string
		is := good
		if c.schema[name] != nil {
			_, fault, is = c.object(name, fields[name], at)
		} else if _, ok := fields[name].(map[string]any); !ok {
			_, fault, is = unlike("an object", fields[name])
		}
		switch is {
		case absent:
			c.say(at, fault+": read as if it were not there")
		case bad:
			c.takeOut(at, fault)
		}
		if is != good {
			delete(fields, name)
		}
	}
}

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

// list is a root array, or that of the lights.
func (c *checker) list(array string) []any {
	from := c.root
	if array == "lights" {
		extensions, _ := c.root["extensions"].(map[string]any)
		from, _ = extensions["KHR_lights_punctual"].(map[string]any)
	}
	list, _ := from[array].([]any)
	return list
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
			switch {
			case is != good:
				c.takeOut(at, fault)
				delete(fields, name)
				continue
			case fault != "":
				c.say(at, fault)
			}
			fields[name] = out
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

// describe shows a JSON value in a message without flooding it.
func describe(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case string:
		return guard.Quoted(v)
	case json.Number:
		return guard.Name(v.String())
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}
