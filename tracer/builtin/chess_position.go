package builtin

import "unicode"

// operaGame is the position after 9.Bg5 of Morphy against the Duke of Brunswick and Count Isouard, Paris 1858, as the first
// field of Forsyth-Edwards notation.
const operaGame = "rn2kb1r/pp2qppp/2p2n2/4p1B1/2B1P3/1QN5/PPP2PPP/R3K2R"

// chessman is a piece on its square: file and rank 0…7 from White's left corner, kind as a small FEN letter.
type chessman struct {
	kind       rune
	white      bool
	file, rank int
}

// position reads the piece placement of a FEN string.
func position(fen string) []chessman {
	var men []chessman
	file, rank := 0, 7
	for _, c := range fen {
		switch {
		case c == '/':
			file, rank = 0, rank-1
		case unicode.IsDigit(c):
			file += int(c - '0')
		default:
			men = append(men, chessman{unicode.ToLower(c), unicode.IsUpper(c), file, rank})
			file++
		}
	}
	return men
}
