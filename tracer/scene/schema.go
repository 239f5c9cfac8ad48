package scene

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"glint/tracer/guard"
)

// checker walks the raw JSON beside the schema table. The typed document loses what it needs to know: an absent index
// reads as 0 there and an unknown enumeration as its default.
type checker struct {
	schema map[string][]rule
	root   map[string]any
	used   map[any]bool // extensionsUsed
	warn   *warnings
	err    error // the first violation
}

// check tests one JSON value; path names it in messages.
type check func(c *checker, v any, path string)

// rule is one property of an object: optional unless need is set; soft violations only warn.
type rule struct {
	name string
	test check
	need bool
	soft bool
}

// checkSchema gives the first violation of the glTF 2.0 JSON schema that would change the picture; lesser ones and
// unknown properties are warnings.
func checkSchema(root map[string]any, warn *warnings) error {
	c := &checker{schema: schemaTable, root: root, used: map[any]bool{}, warn: warn}
	used, _ := root["extensionsUsed"].([]any)
	for _, v := range used {
		if name, ok := v.(string); ok {
			c.used[name] = true
		}
	}
	c.object("root", root, "")
	return c.err
}

func (c *checker) failf(path, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
	}
}

func (c *checker) object(kind string, v any, path string) {
	fields, ok := v.(map[string]any)
	if !ok {
		c.failf(path, "must be an object, is %s", describe(v))
		return
	}
	rules := c.schema[kind]
	for _, r := range rules {
		value, there := fields[r.name]
		at := strings.TrimPrefix(path+"."+r.name, ".")
		if !there {
			if r.need {
				c.failf(at, "is missing")
			}
			continue
		}
		c.apply(r, value, at)
	}
	c.unknown(fields, rules, path)
}

func (c *checker) apply(r rule, value any, at string) {
	before := c.err
	r.test(c, value, at)
	if r.soft && before == nil && c.err != nil {
		c.warn.addError(c.err)
		c.err = nil
	}
}

// unknown reports properties that glTF does not know: a misspelt name would otherwise go unnoticed. One that differs only
// in case is refused: the decoder of the typed document ignores case, so it would get past the checks.
func (c *checker) unknown(fields map[string]any, rules []rule, path string) {
	known := []string{"extensions", "extras"}
	for _, r := range rules {
		known = append(known, r.name)
	}
	for name := range fields {
		if slices.Contains(known, name) {
			continue
		}
		at := strings.TrimPrefix(path+"."+guard.Name(name), ".")
		if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); i >= 0 {
			c.failf(at, "must be spelt %s", known[i])
			return
		}
		c.warn.about(at, nil, "not part of glTF 2.0, ignored")
	}
	if ext, there := fields["extensions"]; there {
		c.extensions(ext, strings.TrimPrefix(path+".extensions", "."))
	}
}

func (c *checker) extensions(v any, path string) {
	fields, ok := v.(map[string]any)
	if !ok {
		c.failf(path, "must be an object, is %s", describe(v))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		if _, ok := value.(map[string]any); !ok {
			c.failf(path+"."+guard.Name(name), "must be an object, is %s", describe(value))
		}
		if !c.used[name] {
			c.warn.about(path+"."+guard.Name(name), nil, "not listed in extensionsUsed")
		}
	}
}

// integer accepts whole numbers from low on.
func integer(low float64) check {
	return func(c *checker, v any, path string) {
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) {
			c.failf(path, "must be a whole number, is %s", describe(v))
		} else if n < low || n > 1<<53 {
			c.failf(path, "%v is out of range: at least %v", n, low)
		}
	}
}

// number accepts numbers from low to high.
func number(low, high float64) check {
	return func(c *checker, v any, path string) {
		n, ok := v.(float64)
		if !ok {
			c.failf(path, "must be a number, is %s", describe(v))
		} else if n < low || n > high {
			c.failf(path, "%v is out of range %v…%v", n, low, high)
		}
	}
}

// oneOf accepts the listed numbers or strings.
func oneOf(values ...any) check {
	return func(c *checker, v any, path string) {
		if !slices.ContainsFunc(values, func(w any) bool { return sameValue(v, w) }) {
			c.failf(path, "%s is none of %v", describe(v), values)
		}
	}
}

func sameValue(v, w any) bool {
	if n, ok := w.(int); ok {
		return v == any(float64(n))
	}
	return v == w
}

// index accepts an index into one of the root arrays.
func index(array string) check {
	return func(c *checker, v any, path string) {
		list, _ := c.root[array].([]any)
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) {
			c.failf(path, "must be an index, is %s", describe(v))
		} else if n < 0 || n >= float64(len(list)) {
			c.failf(path, "%v is out of range: the file has %d %s", n, len(list), array)
		}
	}
}

// list accepts an array of at least least elements that each pass test.
func list(least int, test check) check {
	return func(c *checker, v any, path string) {
		values, ok := v.([]any)
		if !ok {
			c.failf(path, "must be an array, is %s", describe(v))
			return
		}
		if len(values) < least {
			c.failf(path, "has %d elements, needs %d", len(values), least)
		} else if len(values) == 0 {
			c.warn.about(path, nil, "empty arrays are not allowed, ignored")
		}
		for i, value := range values {
			test(c, value, fmt.Sprintf("%s[%d]", path, i))
			if c.err != nil {
				return
			}
		}
	}
}

// vector accepts an array of exactly n numbers, none below low.
func vector(n int, low float64) check {
	each := number(low, math.MaxFloat64)
	return func(c *checker, v any, path string) {
		values, ok := v.([]any)
		if !ok || len(values) != n {
			c.failf(path, "must be an array of %d numbers, is %s", n, describe(v))
			return
		}
		for i, value := range values {
			each(c, value, fmt.Sprintf("%s[%d]", path, i))
		}
	}
}

// dictionary accepts an object whose values each pass test.
func dictionary(test check) check {
	return func(c *checker, v any, path string) {
		fields, ok := v.(map[string]any)
		if !ok {
			c.failf(path, "must be an object, is %s", describe(v))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			test(c, fields[name], path+"."+guard.Name(name))
		}
	}
}

func object(kind string) check {
	return func(c *checker, v any, path string) { c.object(kind, v, path) }
}

func text(c *checker, v any, path string) {
	if _, ok := v.(string); !ok {
		c.failf(path, "must be a string, is %s", describe(v))
	}
}

func flag(c *checker, v any, path string) {
	if _, ok := v.(bool); !ok {
		c.failf(path, "must be true or false, is %s", describe(v))
	}
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
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}
