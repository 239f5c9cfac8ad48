package session

import (
	"fmt"

	"github.com/kballard/go-shellquote"
)

// SavedViews is how many views of a scene the user can save, by number from 1 on.
const SavedViews = 9

// mostViewed bounds how many scenes have saved views.
const mostViewed = 300

// Remembered is what a window remembers for the next one.
type Remembered struct {
	Folder       string              `toml:"folder"`       // of the last scene that was a file; empty: there was none
	Scenes       []string            `toml:"scenes"`       // files that were opened, the last one first
	Environments []string            `toml:"environments"` // likewise
	Views        map[string][]string `toml:"views"`        // of a scene, by number less 1, as flags; empty: there is none
}

// SaveView saves camera, lens and moment under a number.
func (d *Documents) SaveView(n int) {
	if d.stage.Shown == nil {
		return
	}
	now := d.now()
	var words []string
	for _, f := range now.ViewFlags(d.Table) {
		words = append(words, "--"+f.Name, f.Value)
	}
	if _, ok := d.views[now.SceneWord()]; !ok && len(d.views) >= mostViewed {
		d.Messages.Warn(fmt.Sprintf("%d scenes have saved views, and no more are kept", mostViewed))
		return
	}
	views := d.views[now.SceneWord()]
	for len(views) < SavedViews {
		views = append(views, "")
	}
	views[n-1] = shellquote.Join(words...)
	if d.views == nil {
		d.views = map[string][]string{}
	}
	d.views[now.SceneWord()] = views
	if d.remember != nil {
		d.remember()
	}
	d.Messages.Say(fmt.Sprintf("saved as view %d: Alt+%d shows it again", n, n))
}

// ShowView goes to a view that was saved.
func (d *Documents) ShowView(n int) {
	if d.stage.Shown == nil {
		return
	}
	now := d.now()
	views := d.views[now.SceneWord()]
	if n > len(views) || views[n-1] == "" {
		d.Messages.Say(fmt.Sprintf("there is no view %d of this scene yet: Ctrl+%d saves one", n, n))
		return
	}
	now.At, now.Clip = nil, "" // where the view does not say so, it is of the scene at rest
	to, err := now.ReadText(d.Table, views[n-1])
	if err != nil {
		d.Messages.Warn(fmt.Sprintf("view %d: %v", n, err))
		return
	}
	d.take(&to)
	d.Messages.Say(fmt.Sprintf("view %d", n))
}
