import { createSession } from '@sightline/client'
import { afterEach, expect, test, vi } from 'vitest'
import { watchSession } from './session-watch.ts'

/** Two tabs of one browser share its cookies. */
function twoTabs() {
  const cookies = { cookie: `camera-app.v1.token=T~${Date.now() + 3_600_000}` }
  const document = {
    get cookie() {
      return cookies.cookie
    },
    set cookie(written: string) {
      cookies.cookie = written.includes('Max-Age=0') ? '' : written
    },
  }
  const settings = {
    appId: 'camera-app.v1',
    authServer: '',
    authFlow: 'code' as const,
    path: '/app/',
    loggedOutPath: '/app/logout',
  }
  const tab = () => {
    const location = {
      href: 'https://a.example/app/',
      origin: 'https://a.example',
      protocol: 'https:',
      assign: vi.fn(),
    }
    const history = { replaceState: vi.fn() }
    const sessionStorage = { getItem: () => null, setItem: vi.fn(), removeItem: vi.fn() }
    const fetch = async () => new Response()
    const session = createSession(settings, {
      document,
      location,
      history,
      sessionStorage,
      fetch,
      now: () => Date.now(),
      locks: undefined,
    })
    const ends: string[] = []
    session.onEnd((reason) => ends.push(reason))
    return { session, ends }
  }
  return [tab(), tab()] as const
}

afterEach(() => vi.useRealTimers())

test('signing out in one tab ends the other tab’s session once', () => {
  vi.useFakeTimers()
  const [watching, leaving] = twoTabs()
  watchSession(watching.session)
  vi.advanceTimersByTime(5000)
  expect(watching.ends).toEqual([])
  leaving.session.end('left')
  vi.advanceTimersByTime(5000)
  expect(watching.ends).toEqual(['expired'])
})

test('a tab that signed out itself, or was never signed in, gets no further notice', () => {
  vi.useFakeTimers()
  const [here, other] = twoTabs()
  watchSession(here.session)
  here.session.end('left')
  watchSession(other.session)
  vi.advanceTimersByTime(5000)
  expect(here.ends).toEqual(['left'])
  expect(other.ends).toEqual([])
})
