/** A revoked right is refused at the next call, and open streams end (R16; tests/chaos tests how fast). */
import { TALK_PATH } from '@sightline/contract/camera-audio'
import { SHARE_PATH } from '@sightline/contract/shares'
import { SUMMARY_PATH } from '@sightline/contract/streams'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenStreamInput } from '../../server/media/src/control/stream-sessions.ts'
import { openFixture, type TenancyFixture } from './fixture.ts'
import { openFileDesk, tryFiles } from './footage-files.ts'
import type { ServedFrame } from './frame.ts'
import type { Who } from './principals.ts'
import { type RevocationCase, revocations } from './revocations.ts'
import { listStreamAddresses, listUntried } from './stream-addresses.ts'
import { openStreamDesk } from './stream-paths.ts'
import { openStreams, streamInput, tryStreamPaths, tryStreams } from './streams.ts'
import { describeFinding } from './trial.ts'

let fixture: TenancyFixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => fixture?.[Symbol.asyncDispose]())

const whoIs = (name: string): Who => {
  const found = fixture.everybody.find((who) => who.name === name)
  if (found === undefined) throw new Error(`no caller is named ${name}`)
  return found
}

/** The statuses before and after, and how the stream ended. */
async function taken(
  revocation: RevocationCase,
  frame: ServedFrame,
): Promise<{ before: number; after: number; ended?: unknown }> {
  const who = whoIs(revocation.of)
  const scene = { world: fixture.world, who }
  const could = { ...revocation.could(scene), token: who.token }
  const before = (await frame.call(could)).status
  await using streams = openStreams(fixture.database.db('media'))
  const { stream } = revocation
  const cameraId = who.is.kind === 'nobody' ? 0 : who.is.account.cameras.first
  const opened = stream === undefined ? undefined : await streams.open(streamInput(who, cameraId, stream))
  if (opened?.ok === false) throw new Error(`no stream but ${opened.code}`)
  const by = whoIs(revocation.by)
  const answer = await frame.call({ ...revocation.takenBy(scene), token: by.token })
  expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()])
  const after = (await frame.call(could)).status
  await streams.confirmNow()
  await fixture.journal.undo()
  return { before, after, ...(opened === undefined ? {} : { ended: opened.session.signal.reason }) }
}

test.each(revocations)('revoking $what of “$of” refuses the next call and ends streams', async (revocation) => {
  const { before, after, ended } = await taken(revocation, fixture.frame)
  expect({ before, after, ended }).toEqual({
    before: 200,
    after: revocation.refusedWith,
    ended: revocation.stream === undefined ? undefined : 9,
  })
})

test('the test detects a planted bug: tokens cached for a minute', async () => {
  await using frame = await fixture.openFrame(fixture.served, { rememberMs: 60_000 })
  const block = revocations.find(({ what }) => what === 'a user, by blocking')
  expect(block).toBeDefined()
  if (block === undefined) return
  expect(await taken(block, frame)).toMatchObject({ before: 200, after: 200 })
})

/** Enough to meet each of the planted bugs. */
const fewCallers = (): readonly Who[] =>
  ['owner', 'bare sub-user', 'sub-user with playback', 'sub-user with export', 'API key', 'anonymous'].map(whoIs)

describe('opening streams', () => {
  test('every caller opens exactly the cameras that the specification allows, live and recorded', async ({
    annotate,
  }) => {
    await using streams = openStreams(fixture.database.db('media'))
    const { tried, findings } = await tryStreams(streams, fixture.world, fixture.everybody)
    await annotate(`${tried} cases`)
    expect(tried).toBeGreaterThan(2000)
    expect(findings.map(describeFinding)).toEqual([])
  })

  test('every address that leads to pictures or sound is tried', () => {
    const addresses = listStreamAddresses()
    expect(addresses.length).toBeGreaterThan(12)
    expect(listUntried(addresses)).toEqual([])
    expect(listUntried(['/stream/new/open', '/stream/new/'])).toEqual(['/stream/new/open', '/stream/new/'])
  })

  test('files of exports and shares are sent to exactly those callers whom the specification allows', async ({
    annotate,
  }) => {
    await using desk = await openFileDesk(fixture.database)
    const { tried, findings } = await tryFiles(desk, fixture.world, fixture.everybody)
    await annotate(`${tried} requests`)
    expect(tried).toBeGreaterThan(200)
    expect(findings.map(describeFinding)).toEqual([])
    expect(await desk.ask({ path: SHARE_PATH, account: fixture.world.own.accounts[0], who: undefined })).toBe('refused')
  })

  test('every address asks for the same: sockets, HLS, pictures, RTSP, WHEP, talking, summaries, files and snapshots', async ({
    annotate,
  }) => {
    await using streams = openStreams(fixture.database.db('media'))
    await using desk = await openStreamDesk(streams, fixture.database.db('media'))
    const { tried, findings } = await tryStreamPaths(desk, fixture.world, fixture.everybody)
    await annotate(`${tried} requests`)
    expect(tried).toBeGreaterThan(500)
    expect(findings.map(describeFinding)).toEqual([])
  })

  test.each([
    ['files are opened like something to watch', ({ file: _, ...wanted }: OpenStreamInput) => wanted],
    ['recordings are opened like live video', (wanted: OpenStreamInput) => ({ ...wanted, from: undefined })],
  ])('the test detects a planted bug: %s', async (_, mistake) => {
    await using streams = openStreams(fixture.database.db('media'))
    const mistaken = { open: (wanted: OpenStreamInput) => streams.open(mistake(wanted)) }
    await using desk = await openStreamDesk(mistaken, fixture.database.db('media'))
    const { findings } = await tryStreamPaths(desk, fixture.world, fewCallers())
    expect(findings.length).toBeGreaterThan(0)
  })

  test('the test detects a planted bug: who is admitted may do everything', async () => {
    await using streams = openStreams(fixture.database.db('media'))
    const mistaken = {
      async open(wanted: OpenStreamInput) {
        const opened = await streams.open(wanted)
        if (!opened.ok) return opened
        return { ...opened, session: { ...opened.session, caller: { ...opened.session.caller, isSuperUser: true } } }
      },
    }
    await using desk = await openStreamDesk(mistaken, fixture.database.db('media'))
    const { findings } = await tryStreamPaths(desk, fixture.world, fewCallers())
    expect(new Set(findings.map(({ operation }) => operation.split('?', 1)[0]))).toEqual(
      new Set([TALK_PATH, SUMMARY_PATH]),
    )
  })

  test('the test detects a planted bug: the session of an address to a file isn’t asked for', async () => {
    const owner = whoIs('owner')
    await using desk = await openFileDesk(fixture.database, (sessions) => ({
      confirm: () => sessions.confirm(tokenSha256(owner.token ?? '')),
    }))
    const { findings } = await tryFiles(desk, fixture.world, fewCallers())
    expect(findings.length).toBeGreaterThan(0)
  })
})
