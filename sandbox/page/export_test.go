package page

// SetBuffer changes how far an open page may fall behind, before the first one is opened.
func (p *Page) SetBuffer(n int) { p.buffer = n }

// Drawings counts the encoded messages that are kept.
func (p *Page) Drawings() int {
	p.drawn.mu.Lock()
	defer p.drawn.mu.Unlock()
	return len(p.drawn.kept)
}
