package bvh

import "math/bits"

// Depths is how far each node of a binary tree is from the root. Nodes come before their descendants.
func Depths(nodes []Node) []uint32 {
	depths := make([]uint32, len(nodes))
	for i := range nodes {
		for _, child := range nodes[i].Child {
			if child&LeafBit == 0 {
				depths[child] = depths[i] + 1
			}
		}
	}
	return depths
}

// WideDepths is the same of a wide tree.
func WideDepths(nodes []WideNode) []uint32 {
	depths := make([]uint32, len(nodes))
	for i := range nodes {
		for k := range bits.OnesCount8(nodes[i].Inner) {
			depths[int(nodes[i].ChildBase)+k] = depths[i] + 1
		}
	}
	return depths
}
