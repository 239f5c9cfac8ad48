package bench

import (
	"fmt"
	"strings"
)

// Tables is the registry: every comparison of the references, in the order of a report. A new one is a function and a row here.
func Tables() []Table {
	return []Table{
		restirTable(), depthTable(), firstHitTable(), cameraTable(), subsurfaceTable(),
		treeTable(), rouletteTable(), sortTable(), compactionTable(), aliveTable(),
		engineTable(), kernelTable(), fusionTable(),
	}
}

// Choose picks tables by name; none takes all.
func Choose(names []string) ([]Table, error) {
	all := Tables()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	byName := map[string]Table{}
	for _, t := range all {
		known = append(known, t.Name)
		byName[t.Name] = t
	}
	var chosen []Table
	for _, name := range names {
		t, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("no table is called %q; choose from %s", name, strings.Join(known, ","))
		}
		chosen = append(chosen, t)
	}
	return chosen, nil
}

// Omitted is what the references measured and this program does not, on purpose.
const Omitted = "Reference 000 also compared single with double precision (single about 50 % faster). The kernels here have single " +
	"precision alone: the scenes are given in it, and no image test asks for more."
