package device

// Turns is memory that several users fill one after the other, as paths and a denoiser do in each frame of a GPU. It is as large as the
// user with the most needs it. What a user has left there is gone once another has had its turn, so work of all of them must be queued
// in order.
type Turns struct {
	memory Memory
	whole  Buffer
	wanted map[any]int // bytes, by user
	holder any         // whose turn it is
}

// NewTurns takes no memory yet.
func NewTurns(m Memory) *Turns { return &Turns{memory: m, wanted: map[any]int{}} }

// Take begins a user's turn: its buffers lie in the memory from now on, and hold nothing that it can rely on if others have had a turn
// since. They are good until another user's turn begins. On an error nobody has any memory.
func (t *Turns) Take(user any, list []Allocation) error {
	t.holder = nil
	need := 0
	for _, a := range list {
		need += alignedSize(a.Bytes)
	}
	t.wanted[user] = need
	if most := t.most(); t.whole.Size != most {
		t.free()
		var err error
		if t.whole, err = t.memory.Alloc(most); err != nil {
			t.whole = Buffer{}
			clear(t.wanted)
			return err
		}
	}
	at := 0
	for _, a := range list {
		*a.Buffer = Buffer{}
		if a.Bytes > 0 {
			*a.Buffer = t.whole.From(at)
			a.Buffer.Size = a.Bytes
		}
		at += alignedSize(a.Bytes)
	}
	t.holder = user
	return nil
}

// Leave says that a user needs no memory any more.
func (t *Turns) Leave(user any) {
	delete(t.wanted, user)
	if t.Has(user) {
		t.holder = nil
	}
	if t.most() < t.whole.Size {
		t.free() // whoever takes the next turn gets what it needs
	}
}

// Has tells whether it is still a user's turn: what it has left in the memory is there.
func (t *Turns) Has(user any) bool { return user == t.holder }

// Wanted is how many bytes a user has in its turns.
func (t *Turns) Wanted(user any) int { return t.wanted[user] }

// Saved is how many bytes more all users would hold, had each its own.
func (t *Turns) Saved() int {
	sum := 0
	for _, bytes := range t.wanted {
		sum += bytes
	}
	return sum - t.whole.Size
}

func (t *Turns) most() int {
	most := 0
	for _, bytes := range t.wanted {
		most = max(most, bytes)
	}
	return most
}

func (t *Turns) free() {
	t.memory.Free(t.whole)
	t.whole, t.holder = Buffer{}, nil
}

// alignedSize is a size in whole units in which devices align memory.
func alignedSize(bytes int) int {
	const unit = 256
	return (bytes + unit - 1) / unit * unit
}
