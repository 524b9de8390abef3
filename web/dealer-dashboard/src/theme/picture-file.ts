/** The API's limit for an embedded picture, in characters. */
const MAX_CHARACTERS = 65_536
const ACCEPTED: readonly string[] = ['image/png', 'image/jpeg']
export const ACCEPTED_FILES = ACCEPTED.join(',')
const SMALLER = 0.75
const SMALLEST_PX = 16

export interface Picture {
  /** A PNG as data. */
  readonly data: string
  readonly width: number
  readonly height: number
}

export type PictureProblem = 'Choose a PNG or JPEG file' | "This file couldn't be read. Choose another one."

function drawn(bitmap: ImageBitmap, scale: number): Picture | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return { data: canvas.toDataURL('image/png'), width: canvas.width, height: canvas.height }
}

/**
 * Converts a file's pixels to a PNG that the API accepts: no larger than `within`, and reduced until it is short enough. All
 * other content of the file, such as metadata from a camera or editor, is dropped.
 */
export async function readPicture(
  file: File,
  within: { readonly width: number; readonly height: number },
): Promise<Picture | PictureProblem> {
  if (!ACCEPTED.includes(file.type)) return 'Choose a PNG or JPEG file'
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return "This file couldn't be read. Choose another one."
  let scale = Math.min(1, within.width / bitmap.width, within.height / bitmap.height)
  for (; bitmap.width * scale >= SMALLEST_PX; scale *= SMALLER) {
    const picture = drawn(bitmap, scale)
    if (picture !== undefined && picture.data.length <= MAX_CHARACTERS) return picture
  }
  return "This file couldn't be read. Choose another one."
}
