package page

// SetBuffer changes how far an open page may fall behind, before the first one is opened.
func (p *Page) SetBuffer(n int) { p.buffer = n }
