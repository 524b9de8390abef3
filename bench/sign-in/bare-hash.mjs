// A baseline of the sign-in bench: the password hash alone, with the product's concurrency.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

process.on('message', async ({ cost, seconds }) => {
  const stored = await hash('Bench-only.2026', cost)
  const began = performance.now()
  const until = began + seconds * 1000
  let done = 0
  const oneAfterAnother = async () => {
    while (performance.now() < until) {
      if (!(await verify(stored, 'Bench-only.2026'))) throw new Error('the right password does not fit')
      done += 1
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, oneAfterAnother))
  process.send({ perSecond: done / ((performance.now() - began) / 1000), done })
})
