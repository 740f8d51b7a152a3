package pgtest

import "syscall"

// attributes has a program run as another user, and end with the tests even if
// those are killed.
func attributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGINT}
}
