import { expect, test } from 'vitest'
import { serverMessages } from './server-messages.ts'

test('messages are read whole, however the network cuts them', async () => {
  const bytes = new TextEncoder().encode('retry: 3000\nid: 1\n\nevent: states\ndata: {"name":"Tür"}\n\ndata: cut off')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const found = []
  for await (const message of serverMessages(body, () => undefined)) found.push(message)
  expect(found).toEqual([
    { id: '1', event: undefined, data: '' },
    { id: '1', event: 'states', data: '{"name":"Tür"}' },
  ])
})
