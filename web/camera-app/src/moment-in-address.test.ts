import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { describe, expect, test } from 'vitest'
import { isToCome, searchOfCamera } from './moment-in-address.ts'

async function searchAt(address: string): Promise<{ t?: string | undefined }> {
  const root = createRootRoute()
  const camera = createRoute({ getParentRoute: () => root, path: '/camera', validateSearch: searchOfCamera })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([camera]), history })
  await router.load()
  return router.state.matches.at(-1)?.search ?? {}
}

describe('the time in a camera’s URL', () => {
  test.each(['garbage', '', '12', '%7B%7D', '2026-13-45T99:99:99Z', 'true'])(
    '?t=%s is invalid and means live',
    async (t) => {
      expect((await searchAt(`/camera?t=${t}`)).t).toBeUndefined()
    },
  )
  test('a date-time is kept unchanged', async () => {
    expect((await searchAt('/camera?t=2026-11-21T10:31:05.500Z')).t).toBe('2026-11-21T10:31:05.500Z')
  })
  test('is in the future only if a slow clock cannot be the reason', () => {
    const now = Date.UTC(2026, 10, 21)
    expect(isToCome(now - 1, now)).toBe(false)
    expect(isToCome(now + 30_000, now)).toBe(false)
    expect(isToCome(now + 3_600_000, now)).toBe(true)
  })
})
