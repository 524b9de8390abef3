interface Ahead {
  /** So many are prepared while the caller works with the one before. */
  readonly count: number
  /** Nothing is prepared behind one with more bytes. */
  readonly largest: number
}

/** The same chunks, of which the next ones are read while the caller still sends the last one. Errors come in their turn. */
export async function* readAhead(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  { count, largest }: Ahead,
): AsyncGenerator<Uint8Array, void, undefined> {
  const coming: Promise<IteratorResult<Uint8Array, void>>[] = []
  const request = () => {
    const next = chunks.next()
    next.catch(() => undefined)
    coming.push(next)
  }
  try {
    for (;;) {
      if (coming.length === 0) request()
      const { done, value } = (await coming.shift()) as IteratorResult<Uint8Array, void>
      if (done === true) return
      while (coming.length < count && value.length <= largest) request()
      yield value
    }
  } finally {
    // What is being read ends first: its segment stays open until then.
    await chunks.return()
  }
}
