/** After this time a press on a tile has led elsewhere. */
const KEPT_MS = 5000

let kept: { readonly cameraId: number; readonly picture: HTMLCanvasElement; readonly at: number } | undefined

/** Keeps what a pressed tile shows, for the screen that the press opens: decoding the snapshot again would delay the live picture. */
export function keepPressedPicture(cameraId: number, shown: HTMLCanvasElement): void {
  const picture = document.createElement('canvas')
  Object.assign(picture, { width: shown.width, height: shown.height })
  picture.getContext('2d')?.drawImage(shown, 0, 0)
  kept = { cameraId, picture, at: performance.now() }
}

/** Draws the picture of the tile that was just pressed, once. Returns whether there was one of this camera. */
export function drawPressedPicture(cameraId: number, canvas: HTMLCanvasElement): boolean {
  const pressed = kept
  kept = undefined
  if (pressed?.cameraId !== cameraId || performance.now() - pressed.at > KEPT_MS) return false
  Object.assign(canvas, { width: pressed.picture.width, height: pressed.picture.height })
  canvas.getContext('2d')?.drawImage(pressed.picture, 0, 0)
  return true
}
