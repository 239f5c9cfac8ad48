// Package schedule decides what is rendered next: how often in a frame, for how long, and at what size. Renderers do it, and say what it
// cost; nothing here touches a device.
package schedule
