// Command albedo runs the kernel albedo_table and writes the tables that package cuda embeds.
//
//	go run ./tools/albedo        (in cuda/; `make kernels` does it)
package main

import (
	"log"
	"os"
	"runtime"
	"sync"

	"glint/cuda"
)

const entries = int(cuda.AlbedoSlices * cuda.AlbedoSlice)

func main() {
	log.SetFlags(0)
	out, err := cuda.Alloc(4 * entries)
	if err != nil {
		log.Fatal(err)
	}
	frame := cuda.Frame{Display: cuda.DisplayParams{Target: out.Address()}}
	var workers sync.WaitGroup
	// The baseline build everywhere, so that the file does not depend on the machine.
	n := runtime.NumCPU()
	for i := range n {
		workers.Go(func() { cuda.Run(cuda.Baseline, cuda.AlbedoTable, &frame, entries*i/n, entries*(i+1)/n, 0) })
	}
	workers.Wait()
	if err := os.WriteFile("albedo_gen.bin", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
