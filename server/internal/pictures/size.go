package pictures

import "image"

// sizes are the small forms of a picture in pixels, by their name in the query of its address. The set is fixed: nobody
// can have a picture made in endless sizes.
var sizes = map[string]image.Point{
	"icon":      image.Pt(96, 96), // in a list: 48×48 on a screen of double density
	"portrait":  image.Pt(192, 192),
	"thumbnail": image.Pt(192, 144),
}

// maxSmall is the length of a small picture in bytes.
const maxSmall = 15 << 10

// crop returns the part of a picture that has the shape of a size, and the size in which it is shown: pictures are not
// enlarged. It is the middle, and of a tall picture, such as a poster, the top.
func crop(of image.Rectangle, size image.Point, turned orientation) (part image.Rectangle, shown image.Point) {
	w, h := of.Dx(), of.Dy()
	if w*size.Y > h*size.X {
		w = max(1, h*size.X/size.Y)
	} else {
		h = max(1, w*size.Y/size.X)
	}
	spare := image.Pt(of.Dx()-w, of.Dy()-h)
	at := spare.Div(2)
	tall, top := &at.Y, spare.Y
	if turned.swaps() {
		tall, top = &at.X, spare.X
	}
	if turned.topFirst() {
		top = 0
	}
	*tall = top
	return image.Rect(0, 0, w, h).Add(of.Min).Add(at), image.Pt(min(w, size.X), min(h, size.Y))
}
