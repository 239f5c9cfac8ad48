package viewer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// copyPicture puts a PNG on the clipboard. GLFW's holds text alone, and a picture must be kept by a program that answers whoever asks for it,
// also after this one has ended.
func copyPicture(png []byte) error {
	command := exec.Command("xclip", "-selection", "clipboard", "-target", "image/png")
	if os.Getenv("WAYLAND_DISPLAY") != "" {
		if path, err := exec.LookPath("wl-copy"); err == nil {
			command = exec.Command(path, "--type", "image/png")
		}
	}
	command.Stdin = bytes.NewReader(png)
	err := command.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("install xclip, or wl-clipboard on Wayland")
	}
	if err != nil {
		return fmt.Errorf("copy the picture: %w", err)
	}
	return nil
}
