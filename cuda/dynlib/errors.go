package dynlib

import "errors"

// ErrDamaged says that a library's file is there and is not whole.
var ErrDamaged = errors.New("damaged file")
