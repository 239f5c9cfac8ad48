package session

// Findings are answers about the view.
type Findings struct {
	Title string
	Lines []Finding
	Close any  // the Command that hides them
	Low   bool // they are shown low, where they leave the picture to be seen
}

// Finding is one of them, with what may be done about it.
type Finding struct {
	Text string
	Mend string // in the words of a button; empty: nothing
	Do   any    // the Command for that
}
