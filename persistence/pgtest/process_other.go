//go:build !linux

package pgtest

import "syscall"

// attributes has a program run as another user.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who}
}
