package imageio

import (
	"errors"
	"os"
)

// openNameless cannot be done on Windows.
func openNameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func link(*os.File, string) error { return errors.ErrUnsupported }
