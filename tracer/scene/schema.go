package scene

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
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

// reject takes out what is not good.
func (c *checker) reject(path, fault string, is verdict) {
	if is == absent {
		c.say(path, fault+": read as if it were not there")
	} else {
		c.takeOut(path, fault)
	}
}

// ignore removes a property that contradicts others.
func (c *checker) ignore(fields map[string]any, path, name, fault string) {
	c.say(join(path, name), fault+": ignored")
	delete(fields, name)
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
		if is == good {
			if fields[r.name] = out; fault != "" {
				c.say(at, fault)
			}
			continue
		}
		delete(fields, r.name)
		c.changed = true
		fatal := r.need || r.vital && is == bad
		if fatal && broken == nil {
			broken = fmt.Errorf("%s: %s", r.name, cmp.Or(fault, "cannot be used"))
		}
		if !fatal && fault != "" {
			c.reject(at, fault, is)
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
		c.reject(path, fault, is)
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
		if is != good {
			c.reject(at, fault, is)
			delete(fields, name)
		}
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
