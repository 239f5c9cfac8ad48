// Command glint is an interactive path tracer for glTF scenes.
package main

func main() {}
