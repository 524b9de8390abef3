import { describe, expect, it } from 'vitest'
import { createOptimistic } from './optimistic.ts'

type Rights = Readonly<Record<string, boolean>>

/** A server whose responses the test controls, and what the screen shows. */
function world(start: Rights | undefined) {
  let shown = start
  let server = start ?? {}
  const sent: { change: Rights; answer: (accept: boolean) => Promise<void> }[] = []
  const errors: unknown[] = []
  const optimistic = createOptimistic<Rights, Rights>({
    read: () => shown,
    show: (state) => {
      shown = state
    },
    apply: (state, change) => ({ ...state, ...change }),
    send: (change) =>
      new Promise((resolve, reject) => {
        const answer = async (accept: boolean) => {
          if (accept) server = { ...server, ...change }
          if (accept) resolve(server)
          else reject(new Error('refused'))
          await new Promise((settled) => setTimeout(settled))
        }
        sent.push({ change, answer })
      }),
    failed: (error) => errors.push(error),
  })
  return { optimistic, sent, errors, shown: () => shown }
}

describe('optimistic changes', () => {
  it('show immediately and are pending until the server responds', async () => {
    const { optimistic, sent, shown } = world({ ptz: false, export: false })
    optimistic.change({ ptz: true })
    expect(shown()).toEqual({ ptz: true, export: false })
    expect(optimistic.pending()).toEqual([{ ptz: true }])
    await sent[0]?.answer(true)
    expect(optimistic.pending()).toEqual([])
    expect(shown()).toEqual({ ptz: true, export: false })
  })

  it('are undone individually if the server refuses them', async () => {
    const { optimistic, sent, errors, shown } = world({ ptz: false, export: false })
    optimistic.change({ ptz: true })
    optimistic.change({ export: true })
    await sent[0]?.answer(false)
    expect(shown()).toEqual({ ptz: false, export: true })
    expect(errors).toHaveLength(1)
    await sent[1]?.answer(true)
    expect(shown()).toEqual({ ptz: false, export: true })
  })

  it('are sent one after the other, and the response to one does not undo the next', async () => {
    const { optimistic, sent, shown } = world({ ptz: false, export: false })
    optimistic.change({ ptz: true })
    optimistic.change({ export: true })
    expect(sent.map(({ change }) => change)).toEqual([{ ptz: true }])
    await sent[0]?.answer(true)
    expect(shown()).toEqual({ ptz: true, export: true })
    expect(sent.map(({ change }) => change)).toEqual([{ ptz: true }, { export: true }])
  })

  it('of one switch end in its last state', async () => {
    const { optimistic, sent, shown } = world({ ptz: false })
    optimistic.change({ ptz: true })
    optimistic.change({ ptz: false })
    await sent[0]?.answer(true)
    expect(shown()).toEqual({ ptz: false })
    await sent[1]?.answer(true)
    expect(shown()).toEqual({ ptz: false })
  })

  it('are ignored before the data has loaded', () => {
    const { optimistic, sent } = world(undefined)
    optimistic.change({ ptz: true })
    expect(sent).toEqual([])
  })
})
