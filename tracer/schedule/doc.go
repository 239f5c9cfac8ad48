// Package schedule decides what is rendered next: how often in a frame, for how long and at what size, and when it is denoised and shown.
// Renderers do it, and say what it cost; nothing here touches a device.
//
//	plan := live.Next(situation)                          // of a frame of a window: calls of each side
//	work := images.Next(request, settings, sliced, made)  // of a call: which image, at what size
//
// What other devices add is package crew's, how many paths share what they find the integrator's.
package schedule
