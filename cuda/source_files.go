package cuda

import "embed"

// Sources holds every kernel source. Embedding them makes the build cache notice a change in one; by their hash a test
// knows whether the committed PTX is fresh.
//
//go:embed *.cuh *.h lobes/*.cuh
var Sources embed.FS
