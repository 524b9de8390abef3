/** A message of server-sent events. */
export interface ServerMessage {
  /** Where to continue after it; as in the message before, if it has none. */
  readonly id: string | undefined
  /** Undefined: an event. */
  readonly event: string | undefined
  /** Empty: a sign of life. */
  readonly data: string
}

/** Messages of a body (HTML, server-sent events), as they arrive. One that the body breaks off is left out. */
export async function* serverMessages(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerMessage> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let id: string | undefined
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const fields = fieldsOf(part)
        id = fields.get('id') ?? id
        yield { id, event: fields.get('event'), data: fields.get('data') ?? '' }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const fieldsOf = (part: string): ReadonlyMap<string, string> =>
  new Map(
    part.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
