package device

// Scratch is memory that several users fill one after the other, as paths and a denoiser do in each frame of a GPU. It is as large as the
// user with the most needs it. What a user has left there is gone once another has had its turn, so work of all of them must be queued
// in order.
type Scratch struct {
	memory Memory
	whole  Buffer
	wanted map[any]int // bytes, by user
	holder any         // whose turn it is
}

// NewScratch takes no memory yet.
func NewScratch(m Memory) *Scratch { return &Scratch{memory: m, wanted: map[any]int{}} }

// Take begins a user's turn: its buffers lie in the memory from now on, and hold nothing that it can rely on if others have had a turn
// since. They are good until another user's turn begins. On an error nobody has any memory.
func (s *Scratch) Take(user any, list []Allocation) error {
	s.holder = nil
	need := 0
	for _, a := range list {
		need += alignedSize(a.Bytes)
	}
	s.wanted[user] = need
	if most := s.most(); s.whole.Size != most {
		s.free()
		var err error
		if s.whole, err = s.memory.Alloc(most); err != nil {
			s.whole = Buffer{}
			clear(s.wanted)
			return err
		}
	}
	at := 0
	for _, a := range list {
		*a.Buffer = Buffer{}
		if a.Bytes > 0 {
			*a.Buffer = s.whole.From(at)
			a.Buffer.Size = a.Bytes
		}
		at += alignedSize(a.Bytes)
	}
	s.holder = user
	return nil
}

// Leave says that a user needs no memory any more.
func (s *Scratch) Leave(user any) {
	delete(s.wanted, user)
	if s.Has(user) {
		s.holder = nil
	}
	if s.most() < s.whole.Size {
		s.free() // whoever takes the next turn gets what it needs
	}
}

// Has tells whether it is still a user's turn: what it has left in the memory is there.
func (s *Scratch) Has(user any) bool { return user == s.holder }

// Wanted is how many bytes a user has in its turns.
func (s *Scratch) Wanted(user any) int { return s.wanted[user] }

// Saved is how many bytes more all users would hold, had each its own.
func (s *Scratch) Saved() int {
	sum := 0
	for _, bytes := range s.wanted {
		sum += bytes
	}
	return sum - s.whole.Size
}

func (s *Scratch) most() int {
	most := 0
	for _, bytes := range s.wanted {
		most = max(most, bytes)
	}
	return most
}

func (s *Scratch) free() {
	s.memory.Free(s.whole)
	s.whole, s.holder = Buffer{}, nil
}

// alignedSize is a size in whole units in which devices align memory.
func alignedSize(bytes int) int {
	const unit = 256
	return (bytes + unit - 1) / unit * unit
}
