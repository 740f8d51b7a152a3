package sandbox

// Option is a value typed into an option of a slash command.
type Option struct {
	Name  string
	kind  int
	value any // string (ids too), int64, float64, bool, File
}

// Option types of commands, as in the protocol.
const (
	OptionSubcommand  = 1
	OptionGroup       = 2
	OptionString      = 3
	OptionInteger     = 4
	OptionBoolean     = 5
	OptionUser        = 6
	OptionChannel     = 7
	OptionRole        = 8
	OptionMentionable = 9
	OptionNumber      = 10
	OptionAttachment  = 11
)

// UserOption is a user.
func UserOption(name string, p *Person) Option { return Option{name, OptionUser, p.ID()} }

// String is a text, or the value or shown name of a choice.
func String(name, value string) Option { return Option{name, OptionString, value} }

// Int is a whole number.
func Int(name string, value int64) Option { return Option{name, OptionInteger, value} }

// Bool is true or false.
func Bool(name string, value bool) Option { return Option{name, OptionBoolean, value} }

// AttachmentOption is a file that is uploaded.
func AttachmentOption(name string, f File) Option { return Option{name, OptionAttachment, f} }

// Typed is an option as typed in a command line: the text is read as what the registered option wants (a number, a
// choice's name, true or false, a user's name or mention, a channel's name).
func Typed(name, text string) Option { return Option{name, 0, text} }
