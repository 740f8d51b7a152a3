//go:build !linux

package load

import "syscall"

// mortal would make a process end with this one, which this system does not offer.
func mortal() *syscall.SysProcAttr { return nil }
