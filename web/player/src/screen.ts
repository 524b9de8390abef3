/** The canvas above the video element; it is hidden while the video element shows the pictures. */
export interface Screen {
  readonly canvas: HTMLCanvasElement
  readonly video: HTMLVideoElement
}

/** Copies the video element's picture to the canvas, before the element loses it. */
export function freeze({ canvas, video }: Screen): void {
  if (video.videoWidth === 0) return
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d', { alpha: false })?.drawImage(video, 0, 0)
  canvas.hidden = false
}

/** The current picture as a full-size PNG; undefined if there is none. */
export async function capturePicture({ canvas, video }: Screen): Promise<Blob | undefined> {
  const shown = canvas.hidden ? video : canvas
  const width = shown === video ? video.videoWidth : canvas.width
  const height = shown === video ? video.videoHeight : canvas.height
  if (width === 0) return undefined
  const copy = document.createElement('canvas')
  copy.width = width
  copy.height = height
  copy.getContext('2d')?.drawImage(shown, 0, 0)
  return new Promise((resolve) => copy.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}
