import { expect, test } from 'vitest'
import { EncoderProbe, type EncodingAbilities } from './abilities.ts'

test('what ffmpeg can’t do is asked again, and what it can do is kept', async () => {
  const answers: (EncodingAbilities | Error)[] = [
    new Error('no memory'),
    { sound: true, pictures: false },
    { sound: false, pictures: true },
  ]
  const known = new EncoderProbe(async () => {
    const answer = answers.shift() ?? expect.fail('asked although all is known')
    if (answer instanceof Error) throw answer
    return answer
  }, 0)
  expect(await known.ask()).toEqual({ sound: false, pictures: false })
  expect(known.now()).toEqual({ sound: false, pictures: false })
  await expect.poll(() => known.now()).toEqual({ sound: true, pictures: true })
  expect(await known.ask()).toEqual({ sound: true, pictures: true })
})
