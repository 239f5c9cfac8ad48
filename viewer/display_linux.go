package viewer

import "os"

// displayAvailable tells early, and in words, that there is no X server to ask: GLFW only writes to the log.
func displayAvailable() error {
	if os.Getenv("DISPLAY") == "" {
		return ErrNoDisplay
	}
	return nil
}
