package scene

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"glint/tracer/guard"
)

// fuzzMemory keeps one input's memory far below the fuzzer's.
func fuzzMemory() *guard.Memory { return guard.NewMemory(96 << 20) }

// richScene uses as many features as fit one file.
func richScene() *builder {
	b := newBuilder()
	b.extension("KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_volume", "KHR_materials_ior", imageLights)
	texture := b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 2, 2))))
	info := jsonObject{"index": texture, "extensions": jsonObject{"KHR_texture_transform": jsonObject{"rotation": 1}}}
	p := b.triangle(jsonObject{
		"pbrMetallicRoughness": jsonObject{"baseColorTexture": info},
		"normalTexture":        jsonObject{"index": texture},
		"alphaMode":            "MASK",
		"extensions":           jsonObject{"KHR_materials_ior": jsonObject{"ior": 1.3}},
	})
	attributes := p["attributes"].(jsonObject)
	attributes["TEXCOORD_0"] = b.accessor(f32, "VEC2", 3, []float32{0, 1, 1, 1, 0, 0})
	attributes["JOINTS_0"] = b.accessor(u8, "VEC4", 3, make([]uint8, 12))
	attributes["WEIGHTS_0"] = b.accessor(f32, "VEC4", 3, []float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	p["indices"] = b.accessor(u16, "SCALAR", 4, []uint16{0, 1, 2, 1})
	p["mode"] = 5
	p["targets"] = []any{jsonObject{"POSITION": attributes["POSITION"]}}
	node := b.mesh(p)
	node["skin"] = b.add("skins", jsonObject{"joints": []any{1}})
	node["weights"] = []any{0.5}
	node["children"] = []any{1}
	b.add("cameras", jsonObject{"type": "perspective", "perspective": jsonObject{"yfov": 1, "znear": 0.1}})
	b.doc["extensions"] = jsonObject{
		"KHR_lights_punctual": jsonObject{"lights": []any{jsonObject{"type": "spot"}}},
		imageLights:           jsonObject{"lights": []any{jsonObject{"intensity": 2, "specularImages": []any{[]any{0, 0, 0, 0, 0, 0}}}}},
	}
	b.add("nodes", jsonObject{
		"camera": 0, "rotation": []any{0, 0, 1, 0}, "scale": []any{1, -2, 1},
		"extensions": jsonObject{"KHR_lights_punctual": jsonObject{"light": 0}},
	})
	b.add("scenes", jsonObject{"nodes": []any{0}, "extensions": jsonObject{imageLights: jsonObject{"light": 0}}})
	return b
}

func encodePNG(m image.Image) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func encodeJPEG(m image.Image) []byte {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func FuzzLoad(f *testing.F) {
	rich := richScene().glb()
	c, err := openContainer(rich, newWarnings())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(rich)
	f.Add(c.json)
	f.Add(rich[:40])
	f.Add(compressedScene(meshoptNames[0]).glb())
	f.Add(movingScene().glb())
	f.Add([]byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":3,"uri":"data:;base64,AAAA"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, how := range []Instancing{InstanceNever, InstanceAlways} {
			s, err := load(context.Background(), data, noFiles, Options{Scene: -1, Instancing: how, Memory: fuzzMemory(), Animated: true})
			if (s == nil) == (err == nil) {
				t.Fatalf("want either a scene or an error, got %v and %v", s, err)
			}
			if err == nil {
				checkSound(t, s)
				checkPoses(t, s)
			}
		}
	})
}

func FuzzImage(f *testing.F) {
	bounds := image.Rect(0, 0, 3, 2)
	for _, m := range []image.Image{
		image.NewNRGBA(bounds), image.NewNRGBA64(bounds), image.NewGray(bounds), image.NewGray16(bounds),
		image.NewPaletted(bounds, color.Palette{color.White, color.NRGBA{1, 2, 3, 4}}),
	} {
		f.Add(encodePNG(m))
		f.Add(encodeJPEG(m))
	}
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	for _, text := range []string{whiteWebP, orangeWebP, losslessWebP} {
		f.Add(fromHex(text))
		f.Add(fromHex(text[:len(text)-20]))
	}
	sound := encodePNG(noisy(4))
	f.Add(sound[:len(sound)-20])
	f.Add(encodePNG(set(image.NewGray16(image.Rect(0, 0, 2, 1)), color.Gray16{Y: 0x1234})))
	photo := encodeJPEG(noisy(16))
	f.Add(photo[:len(photo)-20])
	for _, name := range []string{"etc1s-faded", "uastc-checks", "uastc-faded"} {
		f.Add(readKTX2(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, pixels, err := decodePixels(data, 16<<20)
		if texel := (&Image{Deep: err == nil && pixels.Deep}).TexelBytes(); err == nil && (p.Width < 1 || len(pixels.RGBA) != texel*p.Width*p.Height) {
			t.Fatalf("%d × %d with %d bytes", p.Width, p.Height, len(pixels.RGBA))
		}
	})
}
