package command

import (
	"io"
	"sync"
	"time"

	"github.com/cheggaaa/pb/v3"
)

const (
	progressTemplate = `{{counters .}} {{bar .}} {{percent .}} {{speed . "%s/s" "-/s"}} ` +
		`{{rtime . "%s left" "%s" "? left"}}`
	progressInterval = 200 * time.Millisecond
	// progressWidth is for terminals that do not report their width.
	progressWidth = 80
)

// progress is a bar in the last line of the terminal, below the command's other output. A nil
// *progress shows nothing.
type progress struct {
	mu   sync.Mutex
	w    io.Writer
	bar  *pb.ProgressBar
	stop chan struct{}
	done chan struct{}
}

// startProgress shows a bar if stderr is a terminal.
func (s *session) startProgress(total int) *progress {
	if !isTerminal(s.err) {
		return nil
	}
	bar := pb.New(total).SetWriter(s.err).Set(pb.Static, true).SetTemplateString(progressTemplate)
	if bar.Width() <= 0 {
		bar.SetWidth(progressWidth)
	}
	p := &progress{w: s.err, bar: bar.Start(), stop: make(chan struct{}), done: make(chan struct{})}
	go p.redraw()
	return p
}

func (p *progress) redraw() {
	defer close(p.done)
	ticker := time.NewTicker(progressInterval)
	defer ticker.Stop()
	for {
		p.draw()
		select {
		case <-ticker.C:
		case <-p.stop:
			return
		}
	}
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.Write()
}

// above calls write, which may write lines to the terminal, and redraws the bar below them.
func (p *progress) above(write func()) {
	if p == nil {
		write()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.w, "\r\x1b[K")
	write()
	p.bar.Write()
}

func (p *progress) step() {
	if p != nil {
		p.bar.Increment()
	}
}

// finish leaves the bar in its final state on a line of its own.
func (p *progress) finish() {
	if p == nil {
		return
	}
	close(p.stop)
	<-p.done
	p.bar.Finish().Write()
}
