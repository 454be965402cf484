package feedback

// frame is one place of a stack that lies in the tree.
type frame struct {
	no   int64
	path string
	n    int
}

// frames gathers one stack and ranks its places when it ends.
type frames struct {
	list []frame
	last frame // the latest frame, kept also when the list is full
}

// keepFrames bounds the places kept of one stack: recursion repeats.
const keepFrames = 30

func (s *frames) add(f *findings, no int64, name []byte, n int) {
	p, ok := f.paths.resolveBytes(name)
	if !ok || n <= 0 {
		return
	}
	s.last = frame{no, p, n}
	if len(s.list) < keepFrames {
		s.list = append(s.list, s.last)
	}
}

// end hands the stack over and starts anew. Runners print stacks either with
// the innermost frame first or last.
func (s *frames) end(f *findings, innermostLast bool) {
	if len(s.list) == 0 {
		return
	}
	inner := s.list[0]
	if innermostLast {
		inner = s.last
	}
	f.place(rankInnermost, inner.no, inner.path, inner.n)
	s.outer(f)
}

// outer hands every place over as a frame of lesser interest.
func (s *frames) outer(f *findings) {
	for _, fr := range s.list {
		f.place(rankOuter, fr.no, fr.path, fr.n)
	}
	s.list, s.last = s.list[:0], frame{}
}
