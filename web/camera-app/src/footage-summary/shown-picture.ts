/**
 * When the picture was taken that a summary shows: each is shown equally long. `position` and `length` of the video in seconds;
 * `pictures` and the result in milliseconds since 1970.
 */
export function shownPicture(
  pictures: readonly number[],
  { position, length }: { readonly position: number; readonly length: number },
): number | undefined {
  if (!(length > 0)) return pictures[0]
  // A video may report a position a little before the picture that it shows.
  const index = Math.floor((position / length) * pictures.length + 0.001)
  return pictures[Math.min(Math.max(index, 0), pictures.length - 1)]
}
