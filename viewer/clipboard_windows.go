package viewer

import (
	"bytes"
	"fmt"
	"os/exec"
)

// copyPicture puts a PNG on the clipboard.
func copyPicture(png []byte) error {
	command := exec.Command("powershell", "-NoProfile", "-STA", "-Command", "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "+
		"[Windows.Forms.Clipboard]::SetImage([Drawing.Image]::FromStream([Console]::OpenStandardInput()))")
	command.Stdin = bytes.NewReader(png)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("copy the picture: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}
