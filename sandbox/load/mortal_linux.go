package load

import "syscall"

// mortal makes a process end with this one, even if this one is killed and cannot stop
// it.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
