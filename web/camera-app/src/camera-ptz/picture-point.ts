interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Where a point of a box is in the picture that is shown whole and centered in it: from 0 to 1, from the upper left corner of the
 * picture. Undefined beside the picture.
 */
export function pointInPicture(
  { x, y }: { readonly x: number; readonly y: number },
  box: Size,
  picture: Size,
): { readonly x: number; readonly y: number } | undefined {
  const scale = Math.min(box.width / picture.width, box.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const point = { x: (x - (box.width - width) / 2) / width, y: (y - (box.height - height) / 2) / height }
  const isInside = point.x >= 0 && point.x <= 1 && point.y >= 0 && point.y <= 1
  return isInside ? point : undefined
}

/** Nearer to its middle, a joystick doesn't move the camera. */
const DEAD_ZONE = 0.12

/** The speed at a point of a joystick, from its middle in radii. Slow near the middle, so that small movements can be exact. */
export function stickSpeed(x: number, y: number): { readonly pan: number; readonly tilt: number } {
  const distance = Math.hypot(x, y)
  if (distance < DEAD_ZONE) return { pan: 0, tilt: 0 }
  const speed = ((Math.min(distance, 1) - DEAD_ZONE) / (1 - DEAD_ZONE)) ** 1.5
  const part = (share: number) => Math.round(((share / distance) * speed + Number.EPSILON) * 100) / 100
  return { pan: part(x), tilt: part(-y) }
}
