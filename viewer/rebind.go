package viewer

import (
	"errors"
	"fmt"
	"slices"

	"glint/viewer/session"
)

// rebind gives rows the keys that the user has for them. What is wrong keeps the keys of the table.
func rebind(table []binding, own Keys) (rows []binding, wrong map[string]string) {
	wrong = map[string]string{}
	asked := map[string][]trigger{}
	for name, chords := range own {
		at := slices.IndexFunc(table, func(row binding) bool { return row.name == name })
		if at < 0 {
			wrong[name] = "no row of `glint keys` has this name"
			continue
		}
		on, err := keysFor(table[at], chords)
		if err != nil {
			wrong[name] = err.Error()
			continue
		}
		asked[name] = on
	}
	for {
		rows = slices.Clone(table)
		for i := range rows {
			if on, ok := asked[rows[i].name]; ok {
				rows[i].on = rows[i].withKeys(on)
			}
		}
		name, why := firstClash(rows, asked)
		if name == "" {
			return rows, wrong
		}
		wrong[name] = why
		delete(asked, name)
	}
}

// keysFor reads the keys that a row is to have.
func keysFor(row binding, chords []string) (on []trigger, err error) {
	switch keys := slices.Concat(row.on[session.Orbit], row.on[session.Fly]); {
	case !slices.ContainsFunc(keys, trigger.isKey):
		return nil, errors.New("it is done by mouse or gamepad, and has no key")
	case row.numbered() && len(chords) > 0:
		return nil, errors.New("it has a key for each number, which it can only lose")
	}
	for _, text := range chords {
		t, err := parseChord(text)
		if err != nil {
			return nil, err
		}
		on = append(on, t)
	}
	return on, nil
}

// firstClash finds a chord of two rows. It names one of them that the user has keys for.
func firstClash(rows []binding, asked map[string][]trigger) (name, why string) {
	for mode := range session.Modes {
		owner := map[trigger]string{}
		for _, row := range rows {
			for _, t := range row.on[mode] {
				other, taken := owner[t]
				owner[t] = row.name
				if !taken {
					continue
				}
				loser, keeper := row.name, other
				if _, ok := asked[loser]; !ok {
					loser, keeper = other, row.name
				}
				if _, ok := asked[loser]; ok {
					return loser, fmt.Sprintf("%s is the key of %s: give that another, or none", t, keeper)
				}
			}
		}
	}
	return "", ""
}
