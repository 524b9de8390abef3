import { expect, test } from 'vitest'
import { afterFirstPictures } from './first-pictures.ts'
import { StreamConnection } from './stream-connection.ts'

test('a camera that its user may not see holds up nothing', async () => {
  const refused = Promise.withResolvers<number>()
  const connection = new StreamConnection({
    address: () => Promise.reject({ code: 9 }),
    onOpen: () => undefined,
    onEvent: () => undefined,
    onRefused: refused.resolve,
  })
  connection.open()
  expect(await refused.promise).toBe(9)
  const begun = performance.now()
  await afterFirstPictures()
  expect(performance.now() - begun).toBeLessThan(200)
  connection.close()
})
