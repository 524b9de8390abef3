import type { StateChanges } from '@sightline/contract/event-states'
import type { TestApi } from '../slice-testing.ts'

interface Message {
  readonly id: string
  readonly name: string
  readonly note: string
}

/** Reads a stream of events and states as a browser does, until it is disposed. */
export async function followStream(
  api: Pick<TestApi, 'origin'>,
  token: string,
  query = '',
  headers: Record<string, string> = {},
) {
  const stop = new AbortController()
  const response = await fetch(`${api.origin}/rest/v2.4/events/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  })
  const messages: Message[] = []
  const states: StateChanges[] = []
  let [lastId, isOver] = ['', false]
  const take = (part: string) => {
    lastId = /^id: (\d+)$/m.exec(part)?.[1] ?? lastId
    const data = /^data: (.*)$/m.exec(part)?.[1]
    if (data === undefined) return
    const message = JSON.parse(data)
    if (/^event: states$/m.test(part)) states.push(message)
    else messages.push({ id: lastId, name: message.data.name, note: message.note })
  }
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) take(part)
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  return {
    response,
    names: () => messages.map(({ name }) => name),
    messages,
    states,
    lastId: () => lastId,
    isOver: () => isOver,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading
    },
  }
}
