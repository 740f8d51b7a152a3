//go:build !linux

package load

import "syscall"

// mortal would have a process end with this one, which the system does not offer here.
func mortal() *syscall.SysProcAttr { return nil }
