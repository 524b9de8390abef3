import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSession, lendSession, type SessionSettings, type Surroundings } from './session.ts'

const settings: SessionSettings = {
  appId: 'account.v2',
  authServer: 'https://auth.example',
  authFlow: 'code',
  path: '/',
  loggedOutPath: '/logout',
}

interface Written {
  value: string
  attributes: string
}

/**
 * A simulated browser: cookies with their attributes, an address bar, the storage of one tab, and an auth server that
 * responds with `replies`.
 */
function browser(href: string, replies: Readonly<Record<string, unknown>> = {}) {
  const cookies = new Map<string, Written>()
  const stored = new Map<string, string>()
  const happened: string[] = []
  const seen = { assigned: '', address: href, happened, cookies, clock: 1_000_000 }
  const around: Surroundings = {
    document: {
      get cookie() {
        return [...cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
      },
      set cookie(text: string) {
        const [pair = '', ...attributes] = text.split('; ')
        const at = pair.indexOf('=')
        if (text.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
        else cookies.set(pair.slice(0, at), { value: pair.slice(at + 1), attributes: attributes.join('; ') })
      },
    },
    location: {
      href,
      origin: new URL(href).origin,
      protocol: new URL(href).protocol,
      assign: (to) => {
        seen.assigned = to
      },
    },
    history: {
      replaceState: (_, __, url) => {
        happened.push(`replaceState ${url}`)
        seen.address = url
      },
    },
    sessionStorage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: async (address, init) => {
      happened.push(`${init.method} ${address} ${init.body ?? ''}`.trim())
      const reply = replies[new URL(address).pathname]
      if (reply === undefined) throw new TypeError('no route')
      return Response.json(reply)
    },
    now: () => seen.clock,
    locks: navigator.locks,
  }
  return { around, seen, stored }
}

/** Starts a sign-in at `asked`. Returns the address that the browser goes to, and the same tab at the callback. */
async function arriveAt(callback: (state: string) => string, given: Partial<SessionSettings> = {}, replies = {}) {
  const before = browser('https://portal.example/details?tab=2')
  const all = { ...settings, ...given }
  await createSession(all, before.around).signIn('/details?tab=2')
  const authorize = new URL(before.seen.assigned)
  const after = browser(`https://portal.example${callback(authorize.searchParams.get('state') ?? '')}`, replies)
  for (const [key, value] of before.stored) after.stored.set(key, value)
  return { authorize, ...after, session: createSession(all, after.around) }
}

const tokenReply = { '/oauth/token': { access_token: 'T0ken', token_type: 'bearer', expires_in: 43_199 } }

afterEach(() => void vi.useRealTimers())

describe('signing in with a code', () => {
  it('asks the auth server with client, exact redirect address, scopes, state and an S256 challenge', async () => {
    const { authorize } = await arriveAt((state) => `/?code=c0de&state=${state}`)
    expect(authorize.origin + authorize.pathname).toBe('https://auth.example/oauth/authorize')
    expect(Object.fromEntries(authorize.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'account.v2',
      redirect_uri: 'https://portal.example/',
      scope: 'read write',
      appId: 'account.v2',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('removes the code from the URL before it sends anything, and proves the challenge with its verifier', async () => {
    const { session, seen, authorize } = await arriveAt((state) => `/?code=c0de&state=${state}`, {}, tokenReply)
    expect(await session.start()).toEqual({ kind: 'signedIn', returnTo: '/details?tab=2' })
    expect(seen.happened[0]).toBe('replaceState /')
    const form = new URLSearchParams(seen.happened[1]?.split(' ')[2])
    expect(seen.happened[1]).toContain('POST https://auth.example/oauth/token')
    expect(
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url'),
    ).toBe(authorize.searchParams.get('code_challenge'))
    expect(form.get('code')).toBe('c0de')
    expect(form.get('redirect_uri')).toBe('https://portal.example/')
    session.end('left')
  })

  it('stores the token in the application’s cookie until it expires', async () => {
    const { session, seen } = await arriveAt((state) => `/?code=c0de&state=${state}`, {}, tokenReply)
    await session.start()
    expect(session.token()).toBe('T0ken')
    expect(seen.cookies.get('account.v2.token')?.attributes).toBe('Max-Age=43199; Path=/; SameSite=Strict; Secure')
    expect(session.appCookie()).toBe('account.v2')
    session.end('left')
  })

  it('uses a separate cookie on the path of another application', async () => {
    const given = { appId: 'camera-app.v1', path: '/app/' }
    const { session, seen, authorize } = await arriveAt((state) => `/app/?code=c&state=${state}`, given, tokenReply)
    await session.start()
    expect(authorize.searchParams.get('redirect_uri')).toBe('https://portal.example/app/')
    expect(seen.cookies.get('camera-app.v1.token')?.attributes).toContain('Path=/app/')
    session.end('left')
  })

  it.each(['state=foreign', 'nothing=1'])('refuses a code with %s and sends it nowhere', async (query) => {
    const { session, seen } = await arriveAt(() => `/?code=stolen&${query}`, {}, tokenReply)
    expect(await session.start()).toEqual({ kind: 'refused', error: 'invalid_state' })
    expect(seen.happened).toEqual([expect.stringContaining('replaceState')])
  })

  it('refuses the same callback a second time', async () => {
    const { session, around } = await arriveAt((state) => `/?code=c0de&state=${state}`, {}, tokenReply)
    await session.start()
    session.end('left')
    expect(await createSession(settings, around).start()).toEqual({ kind: 'refused', error: 'invalid_state' })
  })

  it('reports why the auth server refused', async () => {
    const denied = await arriveAt((state) => `/?error=access_denied&state=${state}`)
    expect(await denied.session.start()).toEqual({ kind: 'refused', error: 'access_denied' })
    const spent = await arriveAt(
      (state) => `/?code=c&state=${state}`,
      {},
      { '/oauth/token': { error: 'invalid_grant' } },
    )
    expect(await spent.session.start()).toEqual({ kind: 'refused', error: 'invalid_grant' })
    const down = await arriveAt((state) => `/?code=c&state=${state}`)
    expect(await down.session.start()).toEqual({ kind: 'refused', error: 'server_unreachable' })
  })

  it('returns only to a page of this origin', async () => {
    const before = browser('https://portal.example/')
    await createSession(settings, before.around).signIn('//evil.example/')
    expect([...before.stored.values()][0]).toContain('"returnTo":"/"')
  })
})

describe('the token callback of the specification', () => {
  const callback = (state: string) => `/?access_token=T0ken&expires_in=60&state=${state}`

  it('stores the token, removes it from the URL and stores the application', async () => {
    const { session, seen, authorize } = await arriveAt(callback, { authFlow: 'token' })
    expect(authorize.searchParams.get('response_type')).toBe('token')
    expect(await session.start()).toEqual({ kind: 'signedIn', returnTo: '/details?tab=2' })
    expect(seen.address).toBe('/')
    expect(session.token()).toBe('T0ken')
    expect(session.appCookie()).toBe('account.v2')
    session.end('left')
  })

  it('does not change the application cookie with skip_app_cookie', async () => {
    const { session } = await arriveAt((state) => `${callback(state)}&skip_app_cookie=true`, { authFlow: 'token' })
    await session.start()
    expect(session.appCookie()).toBeUndefined()
    session.end('left')
  })

  it('is refused if the code flow is configured, and with a foreign state', async () => {
    expect(await (await arriveAt(callback)).session.start()).toMatchObject({ kind: 'refused' })
    const foreign = await arriveAt(() => callback('x'), { authFlow: 'token' })
    expect(await foreign.session.start()).toMatchObject({ kind: 'refused' })
    expect(foreign.session.token()).toBeUndefined()
  })
})

describe('a session lent by another application of this origin', () => {
  it('replaces the application’s session until it expires', async () => {
    const app = { ...settings, appId: 'camera-app.v1', path: '/app/' }
    const { around, seen } = browser('https://portal.example/dealer/')
    lendSession(app, { token: 'own', expiresIn: 600 }, around)
    lendSession(app, { token: 'lent', expiresIn: 60 }, around)
    expect(seen.cookies.get('camera-app.v1.token')?.attributes).toBe('Max-Age=60; Path=/app/; SameSite=Strict; Secure')
    const session = createSession(app, around)
    expect(await session.start()).toEqual({ kind: 'signedIn' })
    expect(session.token()).toBe('lent')
    seen.clock += 60_001
    expect(session.token()).toBeUndefined()
  })
})

describe('the end of a session', () => {
  it('comes automatically when the token expires', async () => {
    vi.useFakeTimers()
    const { session, seen } = await arriveAt((s) => `/?access_token=T&expires_in=60&state=${s}`, { authFlow: 'token' })
    const ends: string[] = []
    session.onEnd((reason) => ends.push(reason))
    await session.start()
    seen.clock += 59_999
    vi.advanceTimersByTime(59_999)
    expect(ends).toEqual([])
    seen.clock += 1
    vi.advanceTimersByTime(1)
    expect(ends).toEqual(['expired'])
    expect(session.token()).toBeUndefined()
  })

  it('is reported once, even if several calls find the token invalid', async () => {
    const { session } = await arriveAt((state) => `/?code=c&state=${state}`, {}, tokenReply)
    const ends: string[] = []
    session.onEnd((reason) => ends.push(reason))
    await session.start()
    session.end('invalidToken')
    session.end('invalidToken')
    expect(ends).toEqual(['invalidToken'])
  })

  it('revokes the token on the server and opens its logout page with the registered address', async () => {
    const replies = { ...tokenReply, '/rest/v2.0/users/self/tokens/current': {} }
    const { session, seen } = await arriveAt((state) => `/?code=c&state=${state}`, {}, replies)
    await session.start()
    await session.signOut()
    expect(seen.happened.at(-1)).toBe('DELETE https://auth.example/rest/v2.0/users/self/tokens/current')
    expect(seen.assigned).toBe('https://auth.example/auth/logout?redirect_uri=https%3A%2F%2Fportal.example%2Flogout')
    expect(session.token()).toBeUndefined()
  })

  it('can affect one application only: its token is revoked, but the sign-in on the server stays', async () => {
    const replies = { ...tokenReply, '/rest/v2.0/users/self/tokens/current': {} }
    const { session, seen } = await arriveAt((state) => `/?code=c&state=${state}`, {}, replies)
    await session.start()
    const before = seen.assigned
    await session.leave()
    expect(seen.happened.at(-1)).toBe('DELETE https://auth.example/rest/v2.0/users/self/tokens/current')
    expect(session.token()).toBeUndefined()
    expect(seen.assigned).toBe(before)
  })

  it('is reported only as leaving, even if pending calls find the token invalid', async () => {
    const { session, around } = await arriveAt((state) => `/?code=c&state=${state}`, {}, tokenReply)
    await session.start()
    const ends: string[] = []
    session.onEnd((reason) => ends.push(reason))
    around.fetch = async () => {
      session.end('invalidToken')
      return new Response()
    }
    await session.signOut()
    expect(ends).toEqual(['left'])
  })

  it('works even if the server is unreachable', async () => {
    const { session, seen } = await arriveAt((state) => `/?code=c&state=${state}`, {}, tokenReply)
    await session.start()
    await session.signOut()
    expect(seen.assigned).toContain('/auth/logout?')
    expect(session.token()).toBeUndefined()
  })
})

it('a reloaded page stays signed in until the token expires', async () => {
  const first = await arriveAt((state) => `/?code=c&state=${state}`, {}, tokenReply)
  await first.session.start()
  first.session.end('left')
  const again = browser('https://portal.example/details')
  again.around.document.cookie = `account.v2.token=T~${again.seen.clock + 5000}; Max-Age=5`
  const session = createSession(settings, again.around)
  expect(await session.start()).toEqual({ kind: 'signedIn' })
  again.seen.clock += 5000
  expect(session.token()).toBeUndefined()
  expect(await createSession(settings, again.around).start()).toEqual({ kind: 'signedOut' })
  session.end('left')
})

// This test is the last one: the page isn't left, so the lock remains.
it('a page starts no sign-in while another page is signing out', async () => {
  const signingOut = browser('https://portal.example/')
  signingOut.around.document.cookie = 'account.v2.token=T0ken~9000000000'
  const other = browser('https://portal.example/app/')
  const leaving = Promise.withResolvers<Response>()
  const page = { ...signingOut.around, fetch: () => leaving.promise }
  const begun = createSession(settings, page).signOut()
  await expect
    .poll(async () => (await navigator.locks.query()).held?.map(({ name }) => name))
    .toEqual(['sightline.signing-out'])
  const asked = createSession({ ...settings, path: '/app/' }, other.around).signIn('/app/')
  leaving.resolve(new Response())
  await begun
  expect(signingOut.seen.assigned).toMatch(/\/auth\/logout/)
  expect(other.seen.assigned).toBe('')
  void asked
})
