package cuda_test

import (
	"encoding/binary"
	"testing"

	"glint/cuda"
)

// Layout of Frame.Scene.Tables (core/tables.cuh).
const (
	srgbSize      = int(cuda.SrgbSize)
	albedoEntries = int(cuda.AlbedoSlices * cuda.AlbedoSlice)
)

// albedos runs kernel albedo_table for every step-th entry.
func albedos(t *testing.T, variant cuda.Variant, step int) []byte {
	t.Helper()
	out, err := cuda.Alloc(4 * albedoEntries)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(out.Free)
	frame := cuda.Frame{Display: cuda.DisplayParams{Target: out.Address()}}
	for i := 0; i < albedoEntries; i += step {
		cuda.Run(variant, cuda.AlbedoTable, &frame, i, i+1, 0)
	}
	return out.Bytes()
}

// A prime, so that all rows and columns of the tables have their turn.
const albedoStep = 101

// The committed albedo tables must be what the lobes give today, bit for bit.
func TestAlbedoTablesAreFresh(t *testing.T) {
	tables := cuda.Tables()[4*srgbSize:]
	if len(tables) != 4*albedoEntries {
		t.Fatalf("the albedo tables hold %d bytes, want %d: run `make kernels`", len(tables), 4*albedoEntries)
	}
	made := albedos(t, cuda.Baseline, albedoStep)
	for i := 0; i < albedoEntries; i += albedoStep {
		got, want := binary.LittleEndian.Uint32(tables[4*i:]), binary.LittleEndian.Uint32(made[4*i:])
		if got != want {
			t.Fatalf("entry %d of albedo_gen.bin is %#x, the kernel gives %#x: run `make kernels`", i, got, want)
		}
	}
}
