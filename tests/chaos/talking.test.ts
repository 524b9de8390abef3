/** A person who talks through a camera over a WebSocket, and those who watch it meanwhile. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TALK_PATH, type TalkServerMessage, talkServerMessage } from '@sightline/contract/camera-audio'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { toOtherLaw } from '../../server/media/src/sound/index.ts'
import { listStatuses, until } from './demo-cameras.ts'
import { type SocketViewer, watch } from './viewer.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker
let front: Server
let origin: string

beforeAll(async () => {
  watched = await watchedCamera({ backChannel: 'PCMA', media: { talk: (question) => worker.talk(question) } })
  worker = await watched.openWorker()
  front = createServer().listen(0, '127.0.0.1')
  front.on('upgrade', ({ url = '', headers }, socket, head) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    worker.accept({ url, headers: Object.fromEntries(texts), address: '127.0.0.1' }, socket, head)
  })
  await once(front, 'listening')
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  await untilConnected()
})
afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const untilConnected = () =>
  until('the camera is online', async () => {
    const caller = { origin: watched.api.origin, token: watched.token }
    return (await listStatuses(caller)).every(({ online }) => online)
  })

const open: { close(): void }[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

async function ticketOf(token: string): Promise<string> {
  const { body } = await watched.api.call(token, `POST cameras/${watched.cameraId}/streamTickets`, { use: 'live' })
  return body.ticket
}

/** Opens a talk; resolves with the first thing that the server says. */
async function talk(credential: { readonly ticket: string } | { readonly access_token: string }) {
  const address = new URL(TALK_PATH, origin.replace('http', 'ws'))
  address.searchParams.set('camera_id', String(watched.cameraId))
  for (const [key, value] of Object.entries(credential)) address.searchParams.set(key, value)
  const socket = new WebSocket(address)
  open.push(socket)
  const messages: TalkServerMessage[] = []
  socket.addEventListener('message', ({ data }: MessageEvent<string>) =>
    messages.push(talkServerMessage.parse(JSON.parse(data))),
  )
  await until('the server answers', async () => messages.length > 0)
  return { socket, messages, first: messages[0] }
}
const talkAs = async (token = watched.token) => talk({ ticket: await ticketOf(token) })

const heard = (): Buffer => Buffer.concat(watched.camera.loudspeaker.heard.map(({ payload }) => payload))
const speech = (seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: 160 }, (_, index) => (index * seed) & 0xff)
const patchSound = (speaker: boolean) =>
  watched.api.call(watched.token, `PATCH cameras/${watched.cameraId}/settings/audio`, { speaker })

test('what is said is heard at the camera, byte for byte in its law, and is in the audit log before', async () => {
  const before = heard().length
  const { socket, first } = await talkAs()
  expect(first).toEqual({ type: 'open', longestSeconds: 300 })
  const entries = watched.api.owner.plain.selectFrom('audit_log').select('action')
  const noted = await entries.where('action', '=', 'sendCameraAudio').execute()
  expect(noted).toHaveLength(1)
  const words = Array.from({ length: 25 }, (_, index) => speech(index + 3))
  for (const word of words) socket.send(word)
  const sent = Buffer.concat(words)
  await until('all is heard', async () => heard().length >= before + sent.length)
  expect(heard().subarray(before, before + sent.length)).toEqual(Buffer.from(toOtherLaw(sent, 'pcmu')))
  socket.close()
})

test('one person talks at a time; the next one may when the first has left', async () => {
  const { socket } = await talkAs()
  expect((await talkAs()).first).toEqual({ type: 'end', reason: 'busy' })
  socket.close()
  await expect.poll(async () => (await talkAs()).first?.type, { timeout: 5000 }).toBe('open')
})

test('all who watch the camera are told that someone talks, also those who come later, and when it is over', async () => {
  const watching = async (): Promise<SocketViewer> =>
    watch({ origin, cameraId: watched.cameraId, credential: { ticket: await ticketOf(watched.token) } })
  await using early = await watching()
  await until('pictures arrive', async () => early.pictures.length > 2)
  const said = ({ messages }: SocketViewer) => messages.flatMap((one) => (one.type === 'talk' ? [one.isTalking] : []))
  expect(said(early)).toEqual([])
  const { socket } = await talkAs()
  await until('it is told', async () => said(early).length === 1)
  await using late = await watching()
  await until('it is told to who comes later', async () => said(late).length === 1)
  socket.close()
  await until('the end is told', async () => said(late).length === 2 && said(early).length === 2)
  expect([said(early), said(late)]).toEqual([
    [true, false],
    [true, false],
  ])
})

test('users without the right to talk, API keys and support may watch, and never talk', async () => {
  const { accountId, userId } = (await watched.api.call(watched.token, 'GET users/self')).body
  const listener = await watched.api.addSubUser(accountId, { rights: [], allCameras: true })
  expect((await talkAs(listener.token)).first).toEqual({ type: 'end', reason: 'notAllowed' })
  const key = await watched.api.addToken({ accountId, userId }, 'apiKey')
  expect((await talk({ access_token: key })).first).toEqual({ type: 'end', reason: 'notAllowed' })
  const support = await watched.api.addToken({ accountId, userId }, 'support')
  expect((await talk({ access_token: support })).first).toMatchObject({ type: 'end' })
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const shown = { allowsHelpdeskExpirationDate: inAnHour, allowsHelpdeskShowVideo: true }
  expect((await watched.api.call(watched.token, 'PATCH users/self/status', shown)).status).toBe(200)
  expect((await talk({ access_token: support })).first).toEqual({ type: 'end', reason: 'notAllowed' })
})

test('a user who loses the right to talk while talking is told so, not that the camera ended it', async () => {
  const { accountId } = (await watched.api.call(watched.token, 'GET users/self')).body
  const speaker = await watched.api.addSubUser(accountId, { rights: ['microphone'], allCameras: true })
  const { messages, first, socket } = await talkAs(speaker.token)
  expect(first?.type).toBe('open')
  const { status } = await watched.api.call(watched.token, `PATCH users/${speaker.userId}/rights`, {
    microphone: false,
  })
  expect(status).toBe(200)
  await expect.poll(() => messages.at(-1), { timeout: 5000 }).toEqual({ type: 'end', reason: 'notAllowed' })
  socket.close()
})

test('a talk ends when the loudspeaker is turned off, and when the camera becomes private', async () => {
  const first = await talkAs()
  await patchSound(false)
  await until('it ends', async () => first.messages.length === 2)
  expect(first.messages[1]).toEqual({ type: 'end', reason: 'speakerOff' })
  expect((await talkAs()).first).toEqual({ type: 'end', reason: 'speakerOff' })
  await patchSound(true)
  const { socket, messages } = await talkAs()
  const path = `PATCH cameras/${watched.cameraId}/mode`
  await watched.api.call(watched.token, path, { mode: 'private' })
  await worker.camerasChanged()
  socket.send(speech(3))
  await until('it ends', async () => messages.length === 2)
  expect(messages[1]).toEqual({ type: 'end', reason: 'ended' })
  expect((await talkAs()).first).toEqual({ type: 'end', reason: 'cameraOffline' })
  await watched.api.call(watched.token, path, { mode: 'silent' })
  await worker.camerasChanged()
  await untilConnected()
})
