/** A revoked right is refused at the next call, and open streams end (R16; tests/chaos tests how fast). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenStreamInput } from '../../server/media/src/control/stream-sessions.ts'
import { openFixture, type TenancyFixture } from './fixture.ts'
import type { ServedFrame } from './frame.ts'
import type { Who } from './principals.ts'
import { type RevocationCase, revocations } from './revocations.ts'
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

  test('every address over HTTP and RTSP asks for the same: HLS, pictures, RTSP, files and snapshots', async ({
    annotate,
  }) => {
    await using streams = openStreams(fixture.database.db('media'))
    await using desk = await openStreamDesk(streams)
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
    await using desk = await openStreamDesk({ open: (wanted) => streams.open(mistake(wanted)) })
    const { findings } = await tryStreamPaths(desk, fixture.world, fixture.everybody)
    expect(findings.length).toBeGreaterThan(0)
  })
})
