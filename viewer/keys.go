package viewer

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"glint/viewer/session"
)

func steps(setting string, by int) func(*app, event) {
	return func(a *app, _ event) { a.session.Editor.StepSetting(setting, by) }
}

// flies moves the camera as long as a key is held.
func flies(ahead, right, up float64) func(*app, event) {
	return func(a *app, e event) { fly(a, ahead*e.dt, right*e.dt, up*e.dt) }
}

// fly moves the camera by so many seconds of flying.
func fly(a *app, ahead, right, up float64) {
	d := float64(a.session.Stage.Camera.Speed)
	if a.boost {
		d *= boostFactor
	}
	a.session.Stage.Camera.Fly(float32(ahead*d), float32(right*d), float32(up*d))
}

// zooms makes the panels larger or smaller.
func zooms(by int) func(*app, event) {
	return func(a *app, _ event) {
		a.hud.StepZoom(by)
		a.session.Messages.Say(fmt.Sprintf("panels: %.0f %%", 100*a.hud.Zoom))
	}
}

func turnsOrbit(perHeight float64) func(*app, event) {
	return func(a *app, e event) { a.session.Stage.Camera.Orbit(e.dx*perHeight, -e.dy*perHeight) }
}
func turnsHead(perHeight float64) func(*app, event) {
	return func(a *app, e event) { a.session.Stage.Camera.Turn(e.dx*perHeight, -e.dy*perHeight) }
}

const (
	dragTurn = math.Pi     // rad that a drag over the window's height turns
	lookTurn = math.Pi / 2 // rad that the captured mouse turns over the window's height
	dragZoom = 4           // powers of e that a drag over the window's height zooms
	notch    = 0.88        // factor on the distance of one notch of the wheel
)

const boostFactor = 4 // of the speed of flying

// bindings is the key table: dispatch, the F1 overlay, `glint keys` and docs/reference/keys.md all follow from it.
func bindings() []binding {
	return slices.Concat(
		orbitRows(), flyRows(), lensRows(), viewRows(), sceneRows(), denoiseRows(), upscaleRows(), imageRows(), lightRows(), reuseRows(),
		compareRows(), playRows(), windowRows(),
	)
}

func orbitRows() []binding {
	const group = "Orbit"
	return []binding{
		{name: "rotate", group: group, help: "turn about the pivot (a double click chooses another)",
			on: orbitOnly(mouse(leftDrag), mouse(leftStick)), do: turnsOrbit(dragTurn)},
		{name: "zoom", group: group, help: "nearer (up) or farther (down)",
			on: orbitOnly(mouse(rightDrag)), do: func(a *app, e event) { a.session.Stage.Camera.Zoom(float32(math.Exp(dragZoom * e.dy))) }},
		{name: "zoom-triggers", group: group, help: "nearer (right) or farther (left)",
			on: orbitOnly(mouse(padTriggers)), do: func(a *app, e event) { a.session.Stage.Camera.Zoom(float32(math.Exp(-e.dy))) }},
		{name: "turn", group: group, help: "look around",
			on: orbitOnly(mouse(rightStick)), do: turnsHead(lookTurn)},
		{name: "pan", group: group, help: "move the view sideways, up and down",
			on: orbitOnly(mouse(middleDrag)), do: func(a *app, e event) { a.session.Stage.Camera.Drag(e.dx, e.dy) }},
		{name: "slide", group: group, help: "move the view over the ground (XZ)",
			on: orbitOnly(trigger{gesture: middleDrag, mods: glfw.ModShift}),
			do: func(a *app, e event) { a.session.Stage.Camera.DragGround(e.dx, e.dy) }},
		{name: "zoom-wheel", group: group, help: "nearer or farther by notches",
			on: orbitOnly(mouse(wheel)), do: func(a *app, e event) { a.session.Stage.Camera.Zoom(float32(math.Pow(notch, e.dy))) }},
		{name: "pivot", group: group, help: "turn, zoom and focus at the point under the mouse",
			on: orbitOnly(mouse(doubleClick)), do: func(a *app, e event) { a.session.PivotAt(e.x, e.y) }},
		{name: "fly-hint", group: group, help: "a reminder of how to fly",
			on: orbitOnly(key(glfw.KeyA), key(glfw.KeyD)), do: plain((*app).sayHowToFly)},
		{name: "recenter", group: group, help: "back to the first look-at point",
			on: orbitOnly(key(glfw.KeySpace)), do: func(a *app, _ event) { a.session.Stage.Camera.Recenter() }},
	}
}

func flyRows() []binding {
	const group = "Fly"
	return []binding{
		{name: "look", group: group, help: "look around: captured, or dragged",
			on: flyOnly(mouse(look), mouse(leftDrag), mouse(rightStick)), do: turnsHead(lookTurn)},
		{name: "capture", group: group, help: "capture or free the mouse",
			on: flyOnly(mouse(rightClick), key(glfw.KeyM)), do: func(a *app, _ event) { a.input.capture(!a.input.captured) }},
		{name: "forward", group: group, help: "ahead", kind: hold,
			on: flyOnly(key(glfw.KeyW), key(glfw.KeyUp)), do: flies(1, 0, 0)},
		{name: "back", group: group, help: "back", kind: hold,
			on: flyOnly(key(glfw.KeyS), key(glfw.KeyDown)), do: flies(-1, 0, 0)},
		{name: "left", group: group, help: "to the left", kind: hold,
			on: flyOnly(key(glfw.KeyA), key(glfw.KeyLeft)), do: flies(0, -1, 0)},
		{name: "right", group: group, help: "to the right", kind: hold,
			on: flyOnly(key(glfw.KeyD), key(glfw.KeyRight)), do: flies(0, 1, 0)},
		{name: "down", group: group, help: "straight down", kind: hold,
			on: flyOnly(key(glfw.KeyQ)), do: flies(0, 0, -1)},
		{name: "up", group: group, help: "straight up", kind: hold,
			on: flyOnly(key(glfw.KeyE)), do: flies(0, 0, 1)},
		{name: "fly", group: group, help: "ahead and sideways",
			on: flyOnly(mouse(leftStick)), do: func(a *app, e event) { fly(a, -e.dy, e.dx, 0) }},
		{name: "rise", group: group, help: "up (right) or down (left)",
			on: flyOnly(mouse(padTriggers)), do: func(a *app, e event) { fly(a, 0, 0, e.dy) }},
		{name: "faster", group: group, help: "four times as fast while it is held", kind: holdFirst,
			on: flyOnly(key(glfw.KeyLeftShift), key(glfw.KeyRightShift)), do: func(a *app, _ event) { a.boost = true }},
		{name: "speed", group: group, help: "speed of flying",
			on: flyOnly(mouse(wheel), mouse(bumpers)), do: func(a *app, e event) {
				a.session.Stage.Camera.Faster(float32(e.dy))
				a.session.Messages.Say("speed: " + session.WithUnit(float64(a.session.Stage.Camera.Speed), "m/s"))
			}},
	}
}

func lensRows() []binding {
	const group = "Lens"
	return []binding{
		{name: "focus-here", group: group, help: "focus here (pad: middle); inspector: hold on",
			on: both(mouse(click), mouse(padA)), do: clickImage},
		{name: "aperture-up", group: group, help: "wider aperture", kind: repeat, setting: "aperture", do: steps("aperture", 1),
			on: perMode(triggers(key(glfw.KeyQ), key(glfw.KeyRightBracket), mouse(padRight)), triggers(key(glfw.KeyRightBracket), mouse(padRight)))},
		{name: "aperture-down", group: group, help: "smaller aperture", kind: repeat, setting: "aperture", do: (*app).narrow,
			on: perMode(triggers(key(glfw.KeyW), key(glfw.KeyLeftBracket), mouse(padLeft)), triggers(key(glfw.KeyLeftBracket), mouse(padLeft)))},
		{name: "focus-far", group: group, help: "focus farther away", kind: repeat, setting: "focus", do: steps("focus", 1),
			on: perMode(triggers(key(glfw.KeyE), key(glfw.KeyApostrophe)), triggers(key(glfw.KeyApostrophe)))},
		{name: "focus-near", group: group, help: "focus nearer", kind: repeat, setting: "focus", do: steps("focus", -1),
			on: perMode(triggers(key(glfw.KeyR), key(glfw.KeySemicolon)), triggers(key(glfw.KeySemicolon)))},
		{name: "focus-target", group: group, help: "focus on the look-at point again",
			on: both(key(glfw.KeyBackslash)), setting: "focus", do: func(a *app, _ event) { a.session.Editor.FocusOnTarget() }},
		{name: "dof", group: group, help: "depth of field on or off", setting: "dof",
			on: both(key(glfw.Key6)), do: steps("dof", 1)},
	}
}

func viewRows() []binding {
	const group = "Views"
	return []binding{
		{name: "save-view", group: group, help: "save the view by this number",
			on: both(digits(glfw.ModControl)...), do: func(a *app, e event) { a.session.Documents.SaveView(numberOf(e)) }},
		{name: "view", group: group, help: "show the view of this number",
			on: both(digits(glfw.ModAlt)...), do: func(a *app, e event) { a.session.Documents.ShowView(numberOf(e)) }},
		{name: "turntable", group: group, help: "turn the view about the pivot, once in 20 s",
			on: both(chord(glfw.ModShift, glfw.KeyT)), do: plain(func(a *app) { a.session.Stage.ToggleTurntable() })},
		{name: "copy", group: group, help: "copy the view as text: scene and flags",
			on: both(chord(glfw.ModControl, glfw.KeyC)), do: plain((*app).copyFlags)},
		{name: "paste", group: group, help: "show a view that was copied",
			on: both(chord(glfw.ModControl, glfw.KeyV)),
			do: plain(func(a *app) { a.session.Documents.Paste(a.display.window.GetClipboardString()) })},
	}
}

func imageRows() []binding {
	const group = "Image"
	return []binding{
		{name: "exposure-down", group: group, help: "darker", kind: repeat, setting: "exposure",
			on: both(key(glfw.KeyMinus), key(glfw.KeyKPSubtract), mouse(padDown)), do: steps("exposure", -1)},
		{name: "exposure-up", group: group, help: "brighter", kind: repeat, setting: "exposure",
			on: both(key(glfw.KeyEqual), key(glfw.KeyKPAdd), mouse(padUp)), do: steps("exposure", 1)},
		{name: "auto-exposure", group: group, help: "auto exposure on or off", setting: "auto-exposure",
			on: both(key(glfw.KeyF8)), do: steps("auto-exposure", 1)},
		{name: "white-balance-cooler", group: group, help: "bluer, for warmer light", kind: repeat, setting: "white-balance",
			on: both(chord(glfw.ModShift, glfw.KeyMinus)), do: steps("white-balance", -1)},
		{name: "white-balance-warmer", group: group, help: "more yellow, for bluer light", kind: repeat, setting: "white-balance",
			on: both(chord(glfw.ModShift, glfw.KeyEqual)), do: steps("white-balance", 1)},
		{name: "tonemap", group: group, help: "next tone curve", setting: "tonemap",
			on: both(key(glfw.Key3)), do: steps("tonemap", 1)},
		{name: "antialias", group: group, help: "antialiasing on or off", setting: "antialias",
			on: both(key(glfw.Key4)), do: steps("antialias", 1)},
		{name: "screenshot", group: group, help: "save as PNG (S: not just after W, A or D)",
			on: perMode(triggers(key(glfw.KeyP), key(glfw.KeyS)), triggers(key(glfw.KeyP))), do: (*app).saveImage},
		{name: "save-exr", group: group, help: "save the radiance as EXR",
			on: both(chord(glfw.ModShift, glfw.KeyP)), do: plain(func(a *app) { a.session.SaveRadiance() })},
		{name: "copy-picture", group: group, help: "copy the picture",
			on: both(chord(glfw.ModControl|glfw.ModShift, glfw.KeyC)), do: plain(func(a *app) { a.session.CopyPicture(copyPicture) })},
	}
}

func lightRows() []binding {
	const group = "Light transport"
	return []binding{
		{name: "integrator", group: group, help: "next integrator", setting: "integrator",
			on: both(key(glfw.Key1)), do: steps("integrator", 1)},
		{name: "sampling", group: group, help: "next way to sample lights", setting: "sampling",
			on: both(key(glfw.Key2)), do: steps("sampling", 1)},
		{name: "rr", group: group, help: "Russian roulette on or off", setting: "rr",
			on: both(key(glfw.Key5)), do: steps("rr", 1)},
		{name: "rr-min-depth-down", group: group, help: "roulette from fewer bounces on", kind: repeat, setting: "rr-min-depth",
			on: both(key(glfw.KeyJ)), do: steps("rr-min-depth", -1)},
		{name: "rr-min-depth-up", group: group, help: "roulette from more bounces on", kind: repeat, setting: "rr-min-depth",
			on: both(key(glfw.KeyK)), do: steps("rr-min-depth", 1)},
		{name: "energy-compensation", group: group, help: "energy compensation on or off", setting: "energy-compensation",
			on: both(key(glfw.Key7)), do: steps("energy-compensation", 1)},
		{name: "bounces-down", group: group, help: "fewer bounces", kind: repeat, setting: "bounces",
			on: both(key(glfw.KeyComma)), do: steps("bounces", -1)},
		{name: "bounces-up", group: group, help: "more bounces", kind: repeat, setting: "bounces",
			on: both(key(glfw.KeyPeriod)), do: steps("bounces", 1)},
		{name: "light-scale", group: group, help: "all lights at a quarter of their strength, or back", setting: "light-scale",
			on: both(key(glfw.KeySlash), key(glfw.KeyKPDivide)), do: plain(func(a *app) { a.session.Editor.DimLights() })},
		{name: "exec", group: group, help: "next engine: megakernel or wavefront", setting: "exec",
			on: both(key(glfw.KeyF4)), do: steps("exec", 1)},
		{name: "compaction", group: group, help: "next way to compact paths", setting: "compaction",
			on: both(key(glfw.KeyF5)), do: steps("compaction", 1)},
		{name: "sort", group: group, help: "next order of shading: as is, by material, by class", setting: "sort",
			on: both(key(glfw.KeyF6)), do: steps("sort", 1)},
		{name: "first-hit-cache", group: group, help: "first-hit cache on or off", setting: "first-hit-cache",
			on: both(key(glfw.KeyF7)), do: steps("first-hit-cache", 1)},
		{name: "reset", group: group, help: "reset all settings to the start",
			on: both(key(glfw.KeyBackspace)), do: plain(func(a *app) { a.session.Editor.ResetSettings() })},
	}
}

func reuseRows() []binding {
	const group = "Reuse"
	return []binding{
		{name: "restir-temporal", group: group, help: "temporal reuse on or off", setting: "restir-temporal",
			on: both(key(glfw.Key8)), do: steps("restir-temporal", 1)},
		{name: "restir-spatial", group: group, help: "spatial reuse on or off", setting: "restir-spatial",
			on: both(key(glfw.Key9)), do: steps("restir-spatial", 1)},
		{name: "restir-mis", group: group, help: "next weights of shared samples", setting: "restir-mis",
			on: both(key(glfw.Key0)), do: steps("restir-mis", 1)},
		{name: "restir-mode", group: group, help: "reference or interactive", setting: "restir-mode",
			on: both(key(glfw.KeyF2)), do: steps("restir-mode", 1)},
		{name: "reuse-view", group: group, help: "next view of reuse in false colours", setting: "reuse-view",
			on: both(key(glfw.KeyF3)), do: steps("reuse-view", 1)},
		{name: "reuse-view-back", group: group, help: "previous view of reuse", setting: "reuse-view",
			on: both(chord(glfw.ModShift, glfw.KeyF3)), do: steps("reuse-view", -1)},
	}
}

func denoiseRows() []binding {
	const group = "Denoising"
	return []binding{
		{name: "denoise", group: group, help: "denoiser on or off", setting: "denoise",
			on: both(key(glfw.KeyL), mouse(padX)), do: plain(func(a *app) { a.session.Editor.ToggleDenoiser() })},
		{name: "denoiser", group: group, help: "next denoiser: none, built in, learned, OIDN", setting: "denoise",
			on: both(chord(glfw.ModShift, glfw.KeyL)), do: steps("denoise", 1)},
		{name: "aov-view", group: group, help: "next AOV: albedo, normal, depth, …", setting: "aov-view",
			on: both(key(glfw.KeyU)), do: steps("aov-view", 1)},
		{name: "aov-view-back", group: group, help: "previous AOV", setting: "aov-view",
			on: both(chord(glfw.ModShift, glfw.KeyU)), do: steps("aov-view", -1)},
	}
}

func upscaleRows() []binding {
	const group = "Upscaling"
	return []binding{
		{name: "render-scale-down", group: group, help: "render a moving view smaller", kind: repeat, setting: "render-scale",
			on: both(key(glfw.KeyF9)), do: steps("render-scale", -1)},
		{name: "render-scale-up", group: group, help: "render a moving view larger, up to full size", kind: repeat, setting: "render-scale",
			on: both(chord(glfw.ModShift, glfw.KeyF9)), do: steps("render-scale", 1)},
		{name: "target-fps", group: group, help: "60 frames a second by rendering smaller, or not", setting: "target-fps",
			on: both(key(glfw.KeyF10)), do: plain(func(a *app) { a.session.Editor.ToggleTarget() })},
	}
}

func compareRows() []binding {
	const group = "Compare"
	return []binding{
		{name: "split", group: group, help: "split view on or off: two sides, A and B",
			on: both(key(glfw.KeyX), mouse(padY)), do: plain(func(a *app) { a.session.ToggleSplit() })},
		{name: "devices", group: group, help: "the same, with side B on the other device: CPU or GPU",
			on: both(chord(glfw.ModShift, glfw.KeyX)), do: plain(func(a *app) { a.session.Elsewhere.Toggle() })},
		{name: "divider", group: group, help: "move the divider between A and B",
			on: both(mouse(dividerDrag)), do: func(a *app, e event) { a.session.Sides.MoveDivider(e.x / a.display.width()) }},
		{name: "flip", group: group, help: "show A, then B, over the whole window",
			on: both(key(glfw.KeyZ)), do: plain(func(a *app) { a.session.Sides.Flip() })},
		{name: "difference", group: group, help: "difference of A and B, amplified, on or off",
			on: both(key(glfw.KeyY)), do: plain(func(a *app) { a.session.Sides.ToggleShow(session.Difference) })},
		{name: "bias", group: group, help: "where A and B differ by more than chance, on or off",
			on: both(chord(glfw.ModShift, glfw.KeyY)), do: plain(func(a *app) { a.session.Sides.ToggleShow(session.BiasMap) })},
		{name: "side", group: group, help: "settings of the other side",
			on: both(key(glfw.KeyB)), do: plain(func(a *app) { a.session.Sides.OtherSide() })},
		{name: "pacing", group: group, help: "equal samples or equal time for A and B",
			on: both(key(glfw.KeyT)), do: plain(func(a *app) { a.session.Sides.NextPacing() })},
		{name: "reference", group: group, help: "reference that A and B are measured against, on or off",
			on: both(key(glfw.KeyG)), do: plain(func(a *app) { a.session.Sides.ToggleReference() })},
		{name: "restart", group: group, help: "restart the image; in a split view both",
			on: both(key(glfw.KeyN)), do: plain(func(a *app) { a.session.Sides.RestartSides() })},
	}
}

func sceneRows() []binding {
	const group = "Scene"
	return []binding{
		{name: "open", group: group, help: "open or drop a scene or picture (Shift: merge)",
			on: both(key(glfw.KeyO)), do: plain((*app).chooseFile)},
		{name: "frame", group: group, help: "see the whole scene",
			on: both(key(glfw.KeyHome), key(glfw.KeyF), mouse(padStart)), do: plain(func(a *app) { a.session.FrameScene() })},
		{name: "camera", group: group, help: "next camera of the file",
			on: both(key(glfw.KeyC)), do: plain(func(a *app) { a.session.Stage.NextCamera() })},
		{name: "floor", group: group, help: "floor under the scene on or off", setting: "floor",
			on: both(chord(glfw.ModShift, glfw.KeyF)), do: steps("floor", 1)},
	}
}

func windowRows() []binding {
	const group = "Window"
	return []binding{
		{name: "mode", group: group, help: "orbit or fly",
			on: both(key(glfw.KeyTab), mouse(padBack)), do: func(a *app, _ event) { a.setMode((a.input.mode + 1) % session.Modes) }},
		{name: "save-scene", group: group, help: "save the scene's file with edits, as a .glb next to it",
			on: both(chord(glfw.ModControl, glfw.KeyS)), do: plain(func(a *app) { a.do(session.SaveScene{}) })},
		{name: "undo", group: group, help: "undo a change of settings, view or file", kind: repeat,
			on: both(chord(glfw.ModControl, glfw.KeyZ)), do: plain(func(a *app) { a.do(session.Undo{}) })},
		{name: "redo", group: group, help: "do it again", kind: repeat,
			on: both(chord(glfw.ModControl|glfw.ModShift, glfw.KeyZ)), do: plain(func(a *app) { a.do(session.Redo{}) })},
		{name: "help", group: group, help: "show or hide these keys",
			on: both(key(glfw.KeyF1)), do: func(a *app, _ event) { a.overlay.showKeys = !a.overlay.showKeys }},
		{name: "search", group: group, help: "search all settings",
			on: both(chord(glfw.ModControl, glfw.KeyF)), do: plain((*app).searchSettings)},
		{name: "panel", group: group, help: "show or hide the panel",
			on: both(key(glfw.KeyH)), do: plain((*app).togglePanel)},
		{name: "scene", group: group, help: "scene: nodes, materials and lights of the file, to be changed",
			on: both(chord(glfw.ModControl, glfw.KeyE)), do: func(a *app, _ event) { a.overlay.turnTo(session.EditPage) }},
		{name: "panels-larger", group: group, help: "larger panels", kind: repeat,
			on: both(chord(glfw.ModControl, glfw.KeyEqual)), do: zooms(1)},
		{name: "panels-smaller", group: group, help: "smaller panels", kind: repeat,
			on: both(chord(glfw.ModControl, glfw.KeyMinus)), do: zooms(-1)},
		{name: "panels-usual", group: group, help: "panels of the usual size",
			on: both(chord(glfw.ModControl, glfw.Key0)), do: zooms(0)},
		{name: "inspector", group: group, help: "inspector: what a pixel shows, and the path that lit it",
			on: both(chord(glfw.ModControl, glfw.KeyM)), do: func(a *app, _ event) { a.overlay.turnTo(session.InspectorPage) }},
		{name: "tour", group: group, help: "a tour of light transport",
			on: both(chord(glfw.ModControl, glfw.KeyF1)), do: plain(func(a *app) { a.do(session.StartTour{}) })},
		{name: "tour-next", group: group, help: "its next stop",
			on: both(chord(glfw.ModControl, glfw.KeyRight)), do: plain(func(a *app) { a.do(session.StepTour{By: 1}) })},
		{name: "tour-back", group: group, help: "the stop before",
			on: both(chord(glfw.ModControl, glfw.KeyLeft)), do: plain(func(a *app) { a.do(session.StepTour{By: -1}) })},
		{name: "noise", group: group, help: "why is it noisy?",
			on: both(chord(glfw.ModControl, glfw.KeyI)), do: plain(func(a *app) { a.do(session.LookForNoise{}) })},
		{name: "tune", group: group, help: "measure all engines on this view, take the fastest",
			on: both(chord(glfw.ModControl, glfw.KeyT)), do: plain(func(a *app) { a.do(session.Tune{}) })},
		{name: "statistics", group: group, help: "statistics: kernels, rays, paths alive, memory",
			on: both(key(glfw.KeyI)), do: func(a *app, _ event) { a.overlay.turnTo(session.StatisticsPage) }},
		{name: "report", group: group, help: "report: what is drawn otherwise than the file says",
			on: both(chord(glfw.ModShift, glfw.KeyI)), do: func(a *app, _ event) { a.overlay.turnTo(session.ReportPage) }},
		{name: "fullscreen", group: group, help: "full screen on or off",
			on: both(key(glfw.KeyF11)), do: plain((*app).toggleFullscreen)},
		{name: "vsync", group: group, help: "vsync on or off",
			on: both(key(glfw.KeyV)), do: func(a *app, _ event) { a.session.Messages.Say(a.display.toggleVsync()) }},
		{name: "close", group: group, help: "close what is open, stop loading",
			on: both(mouse(padB)), do: func(a *app, _ event) { closeTop(a) }},
		{name: "escape", group: group, help: "close what is open, stop loading; twice: save, quit",
			on: both(key(glfw.KeyEscape)), do: plain((*app).escape)},
		{name: "quit", group: group, help: "quit at once",
			on: both(chord(glfw.ModControl, glfw.KeyQ)), do: plain((*app).quit)},
	}
}

func playRows() []binding {
	const group = "Animation"
	return []binding{
		{name: "play", group: group, help: "play or pause the animation",
			on: both(key(glfw.KeyEnter), key(glfw.KeyKPEnter)), do: plain(func(a *app) { a.session.Stage.TogglePlaying() })},
		{name: "play-step", group: group, help: "a step ahead", kind: repeat,
			on: both(key(glfw.KeyPageDown)), do: plain(func(a *app) { a.session.Stage.Scrub(a.session.Stage.Player.Seconds + session.StepTime) })},
		{name: "play-step-back", group: group, help: "a step back", kind: repeat,
			on: both(key(glfw.KeyPageUp)), do: plain(func(a *app) { a.session.Stage.Scrub(a.session.Stage.Player.Seconds - session.StepTime) })},
		{name: "play-faster", group: group, help: "twice as fast",
			on: both(chord(glfw.ModControl, glfw.KeyPageDown)), do: plain(func(a *app) { a.session.Stage.ChangeSpeed(2) })},
		{name: "play-slower", group: group, help: "half as fast",
			on: both(chord(glfw.ModControl, glfw.KeyPageUp)), do: plain(func(a *app) { a.session.Stage.ChangeSpeed(0.5) })},
		{name: "play-loop", group: group, help: "loop, or play once",
			on: both(chord(glfw.ModShift, glfw.KeyEnter)), do: plain(func(a *app) { a.session.Stage.ToggleLoop() })},
		{name: "clip", group: group, help: "next animation of the file",
			on: both(key(glfw.KeyEnd)), do: plain(func(a *app) { a.session.Stage.NextClip() })},
	}
}
