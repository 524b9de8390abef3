import { expect, test } from 'vitest'
import { afterFirstPictures, expectPicture, stopExpecting } from './first-pictures.ts'

/** Whether it has resolved after what is already due. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  return await Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 5, false)),
  ])
}

test('what can wait starts at once if no stream is being opened', async () => {
  expect(await isOver(afterFirstPictures())).toBe(true)
})

test('what can wait starts once the last stream that is being opened shows a picture or is closed', async () => {
  const [one, other] = [{}, {}]
  const waited = afterFirstPictures()
  // Opened in the same turn.
  expectPicture(one)
  expectPicture(other)
  expect(await isOver(waited)).toBe(false)
  stopExpecting(one)
  expect(await isOver(waited)).toBe(false)
  stopExpecting(other)
  expect(await isOver(waited)).toBe(true)
})

test('a stream that shows nothing holds up the rest for half a second at most', async () => {
  const offline = {}
  expectPicture(offline)
  await afterFirstPictures()
  stopExpecting(offline)
  expect(await isOver(afterFirstPictures())).toBe(true)
})
