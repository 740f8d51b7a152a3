package load

import "syscall"

// mortal has a process end with this one, even if this one is killed and cannot end
// it: then nobody is there any more to whom it could answer.
func mortal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
