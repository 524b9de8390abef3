import { readdir } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { checkedConnect } from '../camera-address.ts'
import { type DialogueServer, openDialogue } from './dialogue-server.ts'
import { askOnvif } from './onvif-camera.ts'
import { OnvifCommander } from './onvif-commander.ts'
import { readAbilities } from './read-abilities.ts'
import { chooseStreams } from './stream-profiles.ts'

const connect = checkedConnect({ allowed: ['127.0.0.0/8'] })
const credentials = { username: 'viewer', password: 'right' }

let server: DialogueServer | undefined
afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

async function ask(name: string) {
  server = await openDialogue(name)
  const address = { host: '127.0.0.1', port: server.port, path: '/onvif/device_service' }
  const found = await askOnvif({ address, credentials, connect, signal: AbortSignal.timeout(30_000) })
  if (!found.ok) throw new Error(`${name}: ${found.failure.kind}, ${found.failure.detail}`)
  return found.value
}

/** Main and sub-stream as they are chosen: `H264 1920×1080 /main`. */
function streamsOf({ profiles }: Awaited<ReturnType<typeof ask>>): readonly string[] {
  const chosen = chooseStreams(profiles)
  return [chosen?.main, chosen?.sub].flatMap((one) =>
    one === undefined ? [] : [`${one.encoding} ${one.width}×${one.height} ${one.stream.path}`],
  )
}

const USUAL = ['H264 1920×1080 /main', 'H264 640×360 /sub']
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  'address-with-password': [
    'H264 1920×1080 /user=admin_password=x_channel=1_stream=0.sdp?real_stream',
    'H264 640×360 /sub',
  ],
  'comments-and-declarations': USUAL,
  'default-namespaces': ['H264 1920×1080 /main'],
  'empty-addresses': USUAL,
  'everything-at-one-address': ['H264 1920×1080 /stream1', 'H264 640×360 /stream2'],
  'faults-as-html': USUAL,
  'faults-of-soap-1-1': USUAL,
  'guarded-clock': USUAL,
  'h265-in-media2': ['H265 2560×1440 /h265', 'H264 640×360 /sub'],
  'https-addresses-on-http': USUAL,
  'local-time-only': USUAL,
  'login-page-with-200': USUAL,
  'media-at-another-port': USUAL,
  'media2-only': ['H265 2560×1440 /p1', 'H264 704×576 /p2'],
  'no-clock': USUAL,
  'no-get-services': USUAL,
  // Sizes that are none are 0; MPEG4 is no codec of ours.
  'odd-values': ['H264 1920×1080 /1'],
  'query-in-cdata': [
    'H264 1920×1080 /cam/realmonitor?channel=1&subtype=0&unicast=true&proto=Onvif',
    'H264 640×360 /sub',
  ],
  'recorder-with-an-empty-input': ['H264 2560×1440 /Streaming/Channels/101', 'H264 640×360 /Streaming/Channels/102'],
  'relative-addresses': USUAL,
  'single-categories-only': USUAL,
  'sub-stream-refused': ['H264 1920×1080 /main'],
}

test('each recorded dialogue has an expectation', async () => {
  const files = await readdir(new URL('./dialogues/', import.meta.url))
  expect(files.toSorted()).toEqual(Object.keys(STREAMS).map((name) => `${name}.txt`))
})

test.each(Object.entries(STREAMS))('%s: its streams are found', async (name, expected) => {
  const camera = await ask(name)
  expect(streamsOf(camera)).toEqual(expected)
  // Whatever host it named.
  expect(new Set(camera.profiles.map(({ stream }) => stream.host))).toEqual(new Set(['127.0.0.1']))
})

test('a recorder’s inputs keep their numbers, also the one to which nothing is connected', async () => {
  const { sources, profiles } = await ask('recorder-with-an-empty-input')
  expect(sources).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((input) => `VideoSource_${input}`))
  expect(new Set(profiles.map(({ source }) => source)).size).toBe(7)
})

test('texts of a camera are taken as it wrote them', async () => {
  expect((await ask('comments-and-declarations')).manufacturer).toBe('Maker & Sons')
})

test('a camera that doesn’t say its UTC time counts as right', async () => {
  expect((await ask('local-time-only')).clockAheadMs).toBe(0)
  expect((await ask('no-clock')).clockAheadMs).toBe(0)
})

/** What a camera can do, without anything that was answered. */
async function abilitiesOf(name: string) {
  server = await openDialogue(name)
  const device = new OnvifCommander({
    address: { host: '127.0.0.1', port: server.port, path: '/onvif/device_service' },
    credentials,
    connect,
    stream: { mainPath: '/main', input: 1 },
  })
  const read = await readAbilities(device, AbortSignal.timeout(30_000))
  if (!read.ok) throw new Error(`${name}: ${read.failure.detail}`)
  return read.value.abilities
}

/** The names of abilities in a state. */
const inState = (abilities: Awaited<ReturnType<typeof abilitiesOf>>, state: string): readonly string[] =>
  Object.entries(abilities).flatMap(([ability, found]) => (found?.state === state ? [ability] : []))

test('only a camera that says that it doesn’t have something lacks it', async () => {
  const abilities = await abilitiesOf('no-get-services')
  expect(inState(abilities, 'no')).toEqual(expect.arrayContaining(['microphone', 'speaker', 'wifi']))
  expect(abilities.wifi).toEqual({ state: 'no', tried: 'GetDot11Capabilities: not supported' })
})

test.each([['faults-as-html'], ['login-page-with-200'], ['faults-of-soap-1-1']])(
  '%s: what isn’t answered in the words of the standard is unknown, and nothing is called missing for it',
  async (name) => {
    const abilities = await abilitiesOf(name)
    expect(abilities.wifi?.state).toBe('unknown')
    expect(abilities.microphone?.state).toBe('unknown')
    expect(abilities.speaker?.state).toBe('unknown')
    expect(inState(abilities, 'yes')).toEqual([])
  },
)

test('an empty address of a service is no service, so nothing is asked at the root of the web server', async () => {
  await abilitiesOf('empty-addresses')
  expect(server?.asked.filter((request) => request.startsWith('/ '))).toEqual([])
})
