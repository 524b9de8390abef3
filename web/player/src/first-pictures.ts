/** A camera that is offline shows no picture. */
const LONGEST_MS = 500

/** Connections that were opened and have shown nothing yet. */
const opening = new Set<object>()
let shown = Promise.withResolvers<void>()

/** A connection is being opened. */
export function expectPicture(connection: object): void {
  opening.add(connection)
}

/** It shows something, or it was closed. */
export function stopExpecting(connection: object): void {
  if (!opening.delete(connection) || opening.size > 0) return
  shown.resolve()
  shown = Promise.withResolvers()
}

/**
 * Resolves once every stream that is being opened on this page shows a picture, or after half a second. For less urgent requests: sent
 * together with those of the streams, they would delay the pictures.
 */
export async function afterFirstPictures(): Promise<void> {
  // The stream may be opened by an effect that comes later in the same turn.
  await Promise.resolve()
  if (opening.size === 0) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const longest = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_MS)
  })
  await Promise.race([shown.promise, longest])
  clearTimeout(timer)
}
