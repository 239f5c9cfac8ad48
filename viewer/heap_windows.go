package viewer

// returnLargeMemory has nothing to do: Windows takes large memory from the system each time.
func returnLargeMemory() {}
